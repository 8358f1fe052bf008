import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { createInMemoryStore } from "../../ground/store/index.ts"
import { createProviders } from "../../setup/provider/create-providers.ts"
import { answer, lastUserText, type Script, scriptedRuntime } from "../../test/scripted-runtime.ts"
import { rehearsalLoader } from "../rehearsal/load-rehearsal.ts"
import { describeRequest } from "./describe-request.ts"

const opening = "You describe what was done in a coding session"
const key = `ghp_${"A1b2C3d4".repeat(5).slice(0, 36)}`

/** A session whose prompt writes a file; `describes` answers the summary agent. */
async function setUp(describes: Script, config: object = {}) {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-describe-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const script: Script = (call) => {
    if (call.prompt.some(({ role, content }) => role === "system" && content.startsWith(opening)))
      return describes(call)
    if (call.prompt.at(-1)?.role === "tool") return answer("Done.")
    return answer("", { tool: "write", input: { filePath: "a.txt", content: `token = "${key}"\n` } })
  }
  return scriptedRuntime(script, { directory, config: { permission: "allow", ...config } })
}

test("a description is stored on the session, with what it cost", async () => {
  let request = ""
  await using run = await setUp((call) => {
    request = lastUserText(call)
    return answer("# Add a token file.\n\nI added a.txt.\nNothing is left open.")
  })
  await run.prompt("write it")
  const before = await run.runtime.session.get(run.session.id)
  const described = await run.runtime.changes.describe(run.session.id)
  expect(described).toMatchObject({ title: "Add a token file", text: "I added a.txt.\nNothing is left open." })
  const after = await run.runtime.session.get(run.session.id)
  expect(after.described).toEqual(described)
  expect(after.tokens.output).toBeGreaterThan(before.tokens.output)
  expect(request).toContain("- write it")
  expect(request).toContain("- a.txt (added, +1 -0)")
  expect(request).not.toContain(key)
})

test("two requests at once get one description", async () => {
  let calls = 0
  await using run = await setUp(() => answer(`Title ${++calls}\n\nText`))
  await run.prompt("write it")
  const both = await Promise.all([1, 2].map(() => run.runtime.changes.describe(run.session.id)))
  expect(both.map(({ title }) => title)).toEqual(["Title 1", "Title 1"])
  expect(calls).toBe(1)
})

test("a failed or empty description says why and stores nothing", async () => {
  let text = ""
  await using run = await setUp(() => {
    if (text === "") throw new Error("out of order")
    return answer(text)
  })
  await expect(run.runtime.changes.describe(run.session.id)).rejects.toMatchObject({ code: "invalid_input" })
  await run.prompt("write it")
  const failed = run.runtime.changes.describe(run.session.id)
  await expect(failed).rejects.toMatchObject({ code: "no_model_available" })
  text = "…"
  await expect(run.runtime.changes.describe(run.session.id)).rejects.toMatchObject({ code: "no_model_available" })
  expect((await run.runtime.session.get(run.session.id)).described ?? null).toBeNull()
})

test("the rehearsal refuses to describe and says how to connect a model", async () => {
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-describe-")))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const store = createInMemoryStore()
  const createID = createIdSource()
  const shared = { directory, store, createID }
  await using run = await scriptedRuntime(
    ({ prompt }) =>
      prompt.at(-1)?.role === "tool"
        ? answer("Done.")
        : answer("", { tool: "write", input: { filePath: "a.txt", content: "1\n" } }),
    { ...shared, config: { permission: "allow" } },
  )
  await run.prompt("write it")
  const dataDirectory = join(directory, "other")
  await mkdir(dataDirectory)
  const providers = createProviders({ dataDirectory, env: {}, localServers: [], loadRehearsal: rehearsalLoader(0) })
  const unused: Script = () => answer("")
  const config = { agent: { summary: { model: "docket/rehearsal" } } }
  await using other = await scriptedRuntime(unused, { ...shared, config, providers, session: run.session })
  await expect(other.runtime.changes.describe(run.session.id)).rejects.toMatchObject({
    code: "no_model_available",
    message: expect.stringMatching(/rehearsal cannot describe changes.*Connect one in Settings/),
  })
})

test("a request with huge diffs stays within its limit", () => {
  const figures = { additions: 1, deletions: 0, files: 500 }
  const paths = Array.from({ length: 500 }, (_, index) => `${"deep/".repeat(40)}${index}.txt`)
  const diffs = paths.map((path) => ({ path, kind: "added" as const, additions: 1, deletions: 0, lack: null }))
  const summary = { ...figures, diffs, prompts: [], unseen: null, truncated: false }
  const patches = new Map(paths.map((path) => [path, "+x\n".repeat(100_000)]))
  const request = describeRequest({ title: "Large", summary, patches })
  expect(request.length).toBeLessThan(52_000)
  expect(request).toContain("characters more]")
})

test("changes are described at the end of the work on request, once", async () => {
  let calls = 0
  await using run = await setUp(() => answer(`Title ${++calls}\n\nText`), { describe: "ended" })
  const titleOf = async () => (await run.runtime.session.get(run.session.id)).described?.title
  await run.prompt("write it")
  await expect.poll(titleOf).toBe("Title 1")
  await run.runtime.close()
  expect(calls).toBe(1)
})

test("changes are not described by themselves without that setting", async () => {
  let calls = 0
  await using run = await setUp(() => answer(`Title ${++calls}\n\nText`))
  await run.prompt("write it")
  await run.runtime.close()
  expect(calls).toBe(0)
})
