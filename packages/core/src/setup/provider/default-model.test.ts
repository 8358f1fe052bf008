import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { rehearsalLoader } from "../../engine/rehearsal/load-rehearsal.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { createRuntimeWithServices } from "../../runtime/create-runtime.ts"
import { asLocal, type LocalRuntime } from "../../test/as-local.ts"
import { noPrograms } from "../config/test/no-programs.ts"
import { createProviders } from "./create-providers.ts"

let directory: string
let runtime: LocalRuntime
/** Configs are cached for a moment; each step moves the clock past that. */
let now = Date.now()
const env: Record<string, string> = {}

const lab = { lab: { options: { baseURL: "http://127.0.0.1:9/v1" }, models: { qwen: {} } } }
/** Writes the user's own configuration. */
const write = (text: string) => writeFile(join(directory, ".home/.config/docket/docket.json"), text)
const configure = (config: object) => write(JSON.stringify(config))

beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), "docket-default-")))
  delete env.ANTHROPIC_API_KEY
  await mkdir(join(directory, ".home/.config/docket"), { recursive: true })
  const dataDirectory = join(directory, ".data")
  const created = await createRuntimeWithServices({
    programs: noPrograms,
    store: createInMemoryStore(),
    providers: createProviders({ dataDirectory, env, localServers: [], loadRehearsal: rehearsalLoader(0) }),
    createID: createIdSource(),
    clock: () => (now += 1_000),
    random: () => 0,
    dataDirectory,
    home: join(directory, ".home"),
    env: {},
    platform: "linux",
    providerTimeoutMs: 5_000,
    onError: () => {},
  })
  runtime = asLocal(created)
})
afterEach(async () => {
  await runtime.close()
  await rm(directory, { recursive: true })
})

async function newSession(model?: { providerID: string; modelID: string }): Promise<string> {
  const project = await runtime.project.open(directory)
  return (await runtime.session.create({ projectID: project.id, ...(model && { model }) })).id
}

/** The outcome of a prompt: the error message, or the model that answered. */
async function outcome(sessionID: string): Promise<string> {
  const turn = await runtime.prompt.submit(sessionID, { parts: [{ type: "text", text: "hello" }] })
  const ended = await runtime.prompt.wait(turn.id)
  const { model } = await runtime.session.get(sessionID)
  return ended.error?.message ?? `${model?.providerID}/${model?.modelID}`
}

test("a new set-up without any key rehearses", async () => {
  expect(await outcome(await newSession())).toBe("docket/rehearsal")
})

test("an emptied config starts no rehearsals; sessions report the missing provider", async () => {
  await configure({ model: "lab/qwen", provider: lab })
  const old = await newSession({ providerID: "lab", modelID: "qwen" })
  for (const emptied of ["{}", "", "{"]) {
    await write(emptied)
    const gone = /There is no provider "lab".*if it was removed there, put it back or choose another model/
    expect(await outcome(old)).toMatch(gone)
    expect(await outcome(await newSession())).toMatch(gone)
  }
  const { projectID } = await runtime.session.get(old)
  expect(await runtime.provider.defaultModel(projectID)).toEqual({ providerID: "lab", modelID: "qwen" })
  expect(await runtime.provider.defaultModel()).toEqual({ providerID: "lab", modelID: "qwen" })
})

test("a removed key starts no rehearsals unless the rehearsal is chosen", async () => {
  env.ANTHROPIC_API_KEY = "k"
  const old = await newSession({ providerID: "anthropic", modelID: "claude-sonnet-5" })
  delete env.ANTHROPIC_API_KEY
  expect(await outcome(old)).toContain("save one in Settings")
  const next = await newSession()
  expect(await outcome(next)).toContain("save one in Settings")
  await runtime.session.update(next, { model: { providerID: "docket", modelID: "rehearsal" } })
  expect(await outcome(next)).toBe("docket/rehearsal")
  expect(await outcome(await newSession())).toBe("docket/rehearsal")
})
