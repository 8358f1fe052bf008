// The client that the conformance suite starts, with the address of its server as the last argument: a project of Docket
// whose configuration names that server, a person who signs in, and an agent that calls every tool.
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createIdSource } from "@docket/core"
import { createProgramRoom } from "@docket/core/program-room"
import { answer, lastUserText, scriptedRuntime, toolResults } from "@docket/core/test/scripted-runtime"
import { nodeTimers } from "@docket/core/timers"
import { z } from "zod"
import { createMcpServers } from "../create-mcp-servers.ts"
import { env } from "./env.ts"

/** Sign-ins after the first: a server that always wants more rights must not make a person sign in for ever. */
const mostSignIns = 2

const Context = z.record(z.string(), z.unknown())

const url = process.argv.at(-1) ?? ""
const own = path.join(import.meta.dirname, "config", `${env.scenario.replaceAll("/", "-")}.json`)
const config = existsSync(own) ? own : path.join(import.meta.dirname, "config/default.json")
const context = Context.parse(JSON.parse(env.context))
const variables = Object.entries(context).map(([name, value]) => [`SUITE_${name.toUpperCase()}`, String(value)])

const directory = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-conformance-")))
const host = createMcpServers({
  packages: { find: async () => null, directoryOf: ({ name }) => name },
  ...{ timers: nodeTimers, now: () => performance.now(), clock: Date.now },
  createID: createIdSource(),
  cacheDirectory: path.join(directory, ".data/mcp"),
  room: createProgramRoom({ most: 4, names: "MCP servers" }),
})
const schemas = new Map<string, unknown>()
const run = await scriptedRuntime(
  (call) => {
    for (const tool of call.tools ?? []) if (tool.type === "function") schemas.set(tool.name, tool.inputSchema)
    const text = lastUserText(call)
    return toolResults(call).length > 0 || !text.startsWith("{") ? answer("Done.") : answer("", JSON.parse(text))
  },
  {
    ...{ directory, extensions: [host], config: JSON.parse(readFileSync(config, "utf8")) },
    env: { PATH: env.path, SUITE_URL: url, ...Object.fromEntries(variables) },
  },
)
const { projectID } = run.session
const named = { kind: "mcp", name: "suite" } as const

/** Waits for what the server became. */
async function settled() {
  while (true) {
    const [item] = await run.runtime.extension.list(projectID)
    if (item === undefined) throw new Error("The configuration names no server.")
    if (item.state !== "idle" && item.state !== "starting") return item
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** As a person does it: opens the page, which sends the browser back. */
async function signIn() {
  const begun = await run.runtime.extension.signIn(projectID, named, { method: "browser", forAll: true })
  if (begun === null) return
  const page = await fetch(begun.address, { redirect: "manual" })
  const back = page.headers.get("location")
  if (back === null) throw new Error(`The page of the sign-in answered ${page.status} and sends nobody back.`)
  await run.runtime.extension.finishSignIn(projectID, named, back)
}

/** Answers the first question of each form with what is usual. The others are left out, so that their usual values count. */
async function answerForms(signal: AbortSignal): Promise<void> {
  for await (const event of run.runtime.feed({ others: true }, signal)) {
    if (event.type !== "permission.asked") continue
    const { id, metadata } = event.properties.request
    if (metadata.kind !== "question") continue
    const answers = metadata.questions.map(({ options }, at) => {
      const usual = options.find(({ description }) => description !== "")
      return { choices: at === 0 && usual ? [usual.label] : [], own: null }
    })
    await run.runtime.permission.answer(id, answers)
  }
}

let signIns = 0
async function ready(): Promise<boolean> {
  const item = await settled()
  if (item.state !== "needs-login" || signIns > mostSignIns) return item.state === "ready"
  signIns += 1
  await signIn()
  return ready()
}

const over = new AbortController()
const answering = answerForms(over.signal)
try {
  await run.prompt("Begin")
  if (await ready()) {
    await run.prompt("Look again")
    for (const tool of [...schemas.keys()].filter((name) => name.startsWith("suite_"))) {
      const call = JSON.stringify({ tool, input: sample(schemas.get(tool)) })
      await run.prompt(call)
      while ((await settled()).state === "needs-login" && (await ready())) await run.prompt(call)
    }
  }
  const [item] = await run.runtime.extension.list(projectID)
  process.stderr.write(`${item?.state}: ${item?.error ?? ""}\n${item?.log.join("\n")}`)
} finally {
  over.abort()
  await answering
  await run[Symbol.asyncDispose]()
  await host.close()
  rmSync(directory, { recursive: true, force: true })
}

/** Arguments that fit a schema. */
function sample(schema: unknown): unknown {
  const { type, properties, required, items } = z
    .looseObject({
      type: z.unknown(),
      properties: z.record(z.string(), z.unknown()).default({}),
      required: z.array(z.string()).default([]),
      items: z.unknown().optional(),
    })
    .parse(schema)
  switch (type) {
    case "number":
    case "integer":
      return 1
    case "boolean":
      return true
    case "array":
      return items === undefined ? [] : [sample(items)]
    case "object":
      return Object.fromEntries(required.map((name) => [name, sample(properties[name])]))
    default:
      return "text"
  }
}
