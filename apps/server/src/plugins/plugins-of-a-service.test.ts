import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { createOpencodeClient } from "@opencode-ai/sdk/v2"
import { expect, onTestFinished, test } from "vitest"
import { type AskedModel, type ModelAnswer, startScriptedProvider } from "../test/scripted-provider.ts"
import { startOpenedService } from "../test/start-opened-service.ts"

type Script = (asked: AskedModel) => ModelAnswer | Promise<ModelAnswer>

/** A service whose user has the plugin, and a client of it. */
async function serving(plugin: string, script: Script, config: object = {}) {
  const provider = await startScriptedProvider(script)
  const service = await startOpenedService({}, { ...provider.config, permission: "allow", plugin: [plugin], ...config })
  onTestFinished(async () => {
    await service.remove()
    await provider.stop()
  })
  const token = readFileSync(service.tokenFile, "utf8").trim()
  const client = createOpencodeClient({
    baseUrl: `${service.url}/opencode`,
    headers: { authorization: `Bearer ${token}` },
    directory: service.directory,
    throwOnError: true,
  })
  const session = await got(client.session.create({ agent: "build" }))
  const prompt = async (text: string) => {
    const { parts } = await got(client.session.prompt({ sessionID: session.id, parts: [{ type: "text", text }] }))
    return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
  }
  return { service, client, session, prompt }
}

/** What a call gives; with `throwOnError` it is there. */
async function got<T>(call: Promise<{ data?: T }>): Promise<NonNullable<T>> {
  const { data } = await call
  if (data === undefined || data === null) throw new Error("the answer is empty")
  return data
}

/** A plugin file in a directory of its own, that is removed at the end. */
function pluginFile(text: string): string {
  const directory = mkdtempSync(path.join(tmpdir(), "docket-plugin-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const file = path.join(directory, "plugin.ts")
  writeFileSync(file, text)
  return file
}

const examples = path.resolve(import.meta.dirname, "../../../../examples")
const asyncTasks = path.join(examples, "async-tasks-plugin/async-tasks.ts")

test("tools of a plugin fan out three children and gather them", async () => {
  const [together, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const begun = new Set<string>()
  let ended = 0
  const { prompt, client, session } = await serving(asyncTasks, async ({ prompt: asked, results, tools }) => {
    const [found] = /Find (?:one|two|three)$/.exec(asked) ?? []
    if (found !== undefined) {
      begun.add(found)
      // Each child answers only once all three have begun.
      if (begun.size === 3) together.resolve()
      await together.promise
      expect(tools).not.toContain("task")
      ended += 1
      if (ended === 3) answered.resolve()
      return { text: `${found} was found.` }
    }
    if (asked !== "Fan out") return { text: "Noted." }
    if (results.length === 0)
      return {
        text: "",
        calls: ["one", "two", "three"].map((word) => ({
          name: "start_work",
          args: { agent: "general", prompt: `Find ${word}`, description: `find ${word}` },
        })),
      }
    await answered.promise
    const ids = results.flatMap((result) => /^task_id: (\S+)\nagent/.exec(result)?.[1] ?? [])
    const isWaiting = results.slice(-ids.length).some((result) => !result.startsWith("status: complete"))
    if (isWaiting) return { text: "", calls: ids.map((task_id) => ({ name: "work_result", args: { task_id } })) }
    return { text: results.slice(-3).join("\n") }
  })
  const answer = await prompt("Fan out")
  for (const word of ["one", "two", "three"]) expect(answer).toContain(`<task_result>\nFind ${word} was found.`)
  const children = await got(client.session.children({ sessionID: session.id }))
  expect(children.map(({ title }) => title).sort()).toEqual([
    "find one (@general subagent)",
    "find three (@general subagent)",
    "find two (@general subagent)",
  ])
})

test("tools of a plugin say what is wrong", async () => {
  const asked = [
    { name: "start_work", args: { agent: "nobody", prompt: "x", description: "x" } },
    { name: "work_result", args: { task_id: "ses_fe5dd8641a5bzzzz74Z7K3vmFV" } },
  ]
  const { prompt } = await serving(asyncTasks, ({ results }) =>
    results.length === 0 ? { text: "", calls: asked } : { text: results.join("\n") },
  )
  const answer = await prompt("Try")
  expect(answer).toContain('There is no subagent "nobody". There are: general, explore.')
  expect(answer).toContain("Session not found.")
})

test("a client takes both forms and refuses clearly what is missing", async () => {
  const file = pluginFile(`export default async ({ client, serverUrl, directory }) => ({
  "tool.execute.after": async ({ sessionID }, output) => {
    const nested = await client.session.get({ path: { id: sessionID } })
    const flat = await client.session.get({ sessionID })
    const raw = await fetch(new URL("session/" + sessionID, serverUrl + "/")).then((response) => response.json())
    const missing = await client.pty.list({})
    await client.app.log({ body: { service: "me", level: "info", message: "a line for people" } })
    const answer = await fetch(serverUrl.origin + "/api/trpc/config.report").then((response) => response.status)
    const unknown = await client.nothing.there({}).catch((error) => error.message)
    output.output = JSON.stringify({
      same: [nested.data.id, flat.data.id, raw.id].every((id) => id === sessionID),
      missing: missing.error, answer, unknown,
    })
  },
})
`)
  const { prompt, client } = await serving(file, ({ results }) =>
    results.length === 0
      ? { text: "", calls: [{ name: "glob", args: { pattern: "*" } }] }
      : { text: String(results[0]) },
  )
  expect(JSON.parse(await prompt("Look"))).toEqual({
    same: true,
    missing: expect.objectContaining({ data: { message: expect.stringContaining("Docket has no GET /pty") } }),
    // Only the routes for OpenCode's clients can be reached.
    answer: 404,
    unknown: "client.nothing.there is no call of OpenCode's SDK that Docket knows.",
  })
  expect(client).toBeDefined()
})

test("a plugin's client reaches no session of another project", async () => {
  const file = pluginFile(`export default async ({ client }) => ({
  "tool.execute.after": async ({ args, sessionID: own }, output) => {
    const sessionID = args.pattern
    const parts = [{ type: "text", text: "Say what you know" }]
    const statusOf = (call) => call.then(({ response }) => response.status)
    const created = await client.session.create({ parentID: own })
    output.output = JSON.stringify({
      own: await statusOf(client.session.get({ sessionID: own })),
      child: created.response.status,
      get: await statusOf(client.session.get({ sessionID })),
      messages: await statusOf(client.session.messages({ sessionID })),
      children: await statusOf(client.session.children({ sessionID })),
      todo: await statusOf(client.session.todo({ sessionID })),
      prompt: await statusOf(client.session.prompt({ sessionID, parts })),
      promptAsync: await statusOf(client.session.promptAsync({ sessionID, parts })),
      abort: await statusOf(client.session.abort({ sessionID })),
      create: await statusOf(client.session.create({ parentID: sessionID })),
      listed: (await client.session.list()).data.some(({ id }) => id === sessionID),
    })
  },
})
`)
  const { prompt, client, service } = await serving(file, ({ prompt: asked, results }) =>
    results.length === 0
      ? { text: "", calls: [{ name: "glob", args: { pattern: asked } }] }
      : { text: String(results[0]) },
  )
  const directory = mkdtempSync(path.join(tmpdir(), "docket-other-"))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  await service.local.project.open({ directory })
  const other = await got(client.session.create({ directory, agent: "build" }))
  expect(JSON.parse(await prompt(other.id))).toEqual({
    ...{ own: 200, child: 200, get: 404, messages: 404, children: 404, todo: 404 },
    ...{ prompt: 404, promptAsync: 404, abort: 404, create: 404, listed: false },
  })
  expect(await got(client.session.messages({ sessionID: other.id, directory }))).toEqual([])
})

test("a plugin reads files, and does nothing that people decide", async () => {
  const file = pluginFile(`export default async ({ client }) => ({
  "tool.execute.after": async ({ sessionID }, output) => {
    const statusOf = (call) => call.then(({ response }) => response.status)
    const requestID = "per_" + "0".repeat(26)
    output.output = JSON.stringify({
      files: (await client.file.list({ query: { path: "." } })).data.map(({ name }) => name).includes("docket.json"),
      permissions: (await client.permission.list()).data,
      fork: await statusOf(client.session.fork({ sessionID })),
      remove: await statusOf(client.session.delete({ sessionID })),
      shell: await statusOf(client.session.shell({ sessionID, agent: "build", command: "true" })),
      reply: await statusOf(client.permission.reply({ requestID, reply: "once" })),
      undo: await statusOf(client.session.unrevert({ sessionID })),
      share: await statusOf(client.session.share({ sessionID })),
      key: await statusOf(client.auth.remove({ providerID: "openai" })),
    })
  },
})
`)
  const { prompt } = await serving(file, ({ results }) =>
    results.length === 0
      ? { text: "", calls: [{ name: "glob", args: { pattern: "*" } }] }
      : { text: String(results[0]) },
  )
  expect(JSON.parse(await prompt("Look"))).toEqual({
    ...{ files: true, permissions: [], fork: 200 },
    ...{ remove: 403, shell: 403, reply: 403, undo: 403, share: 403, key: 403 },
  })
})

test("a plugin hears what happens in the sessions of its project", async () => {
  const file = pluginFile(`const heard = new Set()
let idle = () => {}
export default async () => ({
  event: async ({ event }) => { heard.add(event.type) },
  "tool.execute.after": async (_, output) => { output.output = [...heard].sort().join() },
})
`)
  const { prompt } = await serving(file, ({ results }) =>
    results.length === 0
      ? { text: "", calls: [{ name: "bash", args: { command: "sleep 0.2", description: "wait" } }] }
      : { text: String(results[0]) },
  )
  await prompt("Begin")
  await expect.poll(() => prompt("Listen")).toMatch(/message\.part\.updated.*message\.updated.*session\.idle/)
})

test("a plugin for Docket hears of tasks and todos", async () => {
  const file = pluginFile(`const heard = new Map()
export default async ({ docket }) => ({
  "docket.event": async ({ event }) => { heard.set(event.type, Object.keys(event.properties)) },
  "tool.execute.after": async ({ tool }, output) => {
    if (tool === "glob") output.output = JSON.stringify({ version: docket.version, heard: Object.fromEntries(heard) })
  },
})
`)
  const { prompt } = await serving(file, ({ prompt: asked, results }) => {
    if (asked.startsWith("Find")) return { text: "Found." }
    if (results.length > 0) return { text: String(results.at(-1)) }
    const todos = [{ content: "Look", status: "in_progress", priority: "high" }]
    const work = { description: "find it", prompt: "Find it", subagent_type: "general" }
    const calls =
      asked === "Work"
        ? [
            { name: "todowrite", args: { todos } },
            { name: "task", args: work },
          ]
        : []
    return { text: "", calls: calls.length > 0 ? calls : [{ name: "glob", args: { pattern: "*" } }] }
  })
  await prompt("Begin")
  await prompt("Work")
  await expect
    .poll(async () => JSON.parse(await prompt("Tell")))
    .toMatchObject({ version: 1, heard: { "task.updated": expect.anything(), "todo.updated": expect.anything() } })
})
