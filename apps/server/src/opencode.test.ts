import { mkdtemp, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { missingSessionText } from "@docket/core/missing-session-text"
import type * as Older from "@opencode-ai/sdk"
import type { Event } from "@opencode-ai/sdk/v2"
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest"
import { got, opencodeClients, text, textsOf } from "./test/opencode-clients.ts"
import { type ScriptedProvider, startScriptedProvider } from "./test/scripted-provider.ts"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"
import { send } from "./test/start-test-service.ts"

let provider: ScriptedProvider
let service: OpenedService
let clients: Awaited<ReturnType<typeof opencodeClients>>
/** Holds answers to prompts that begin with "hold", until it is called. */
let release = Promise.withResolvers<void>()
const offered = new Map<string, string[]>()

beforeAll(async () => {
  provider = await startScriptedProvider(async ({ prompt, results, tools }) => {
    offered.set(prompt, tools)
    if (prompt.startsWith("hold")) await release.promise
    if (prompt === "list" && results.length === 0) {
      const todos = [{ content: "Look", status: "in_progress", priority: "high" }]
      return { text: "Planning.", calls: [{ name: "todowrite", args: { todos } }] }
    }
    if (prompt === "run" && results.length === 0)
      return { text: "", calls: [{ name: "bash", args: { command: "touch made-by-run", description: "Touch" } }] }
    if (prompt.includes("count")) return { text: '{"fileCount": 3}' }
    return { text: `You said ${prompt}.`, ...(prompt === "list" && { beforeLast: release.promise }) }
  })
  service = await startOpenedService({}, { ...provider.config, permission: { bash: "ask" } })
  clients = await opencodeClients(service)
})
afterAll(async () => {
  await service.remove()
  await provider.stop()
})

test("the flat client makes, prompts, reads and lists a session", async () => {
  const client = clients.flat()
  const made = await got(client.session.create({ title: "From a client", agent: "build" }))
  expect(made).toMatchObject({ title: "From a client", directory: service.directory, agent: "build" })
  const answer = await got(client.session.prompt({ sessionID: made.id, parts: text("hello") }))
  expect(answer.info).toMatchObject({ role: "assistant", sessionID: made.id, modelID: "one", finish: "stop" })
  expect(textsOf(answer.parts)).toEqual(["You said hello."])
  const messages = await got(client.session.messages({ sessionID: made.id }))
  expect(messages.map(({ info }) => info.role)).toEqual(["user", "assistant"])
  expect(messages[1]).toEqual(answer)
  const { data: newest, response } = await client.session.messages({ sessionID: made.id, limit: 1 })
  expect(newest).toEqual([answer])
  expect(response.headers.get("x-next-cursor")).toBe(answer.info.id)
  const read = await got(client.session.get({ sessionID: made.id }))
  expect(read).toMatchObject({ id: made.id, cost: expect.any(Number), time: { created: made.time.created } })
  const listed = await got(client.session.list({ roots: true, search: "from a client" }))
  expect(listed).toEqual([read])
})

test("the nested client does the same, and its types fit", async () => {
  release.resolve()
  const client = clients.nested()
  const made = await got(client.session.create({ body: { title: "Older" } }))
  const answer = await got(client.session.prompt({ path: { id: made.id }, body: { parts: text("hello") } }))
  expect(textsOf(answer.parts)).toEqual(["You said hello."])
  const messages = await got(client.session.messages({ path: { id: made.id }, query: { limit: 10 } }))
  expect(messages.at(-1)).toEqual(answer)
  await client.session.prompt({ path: { id: made.id }, body: { parts: text("list") } })
  const todos = await got(client.session.todo({ path: { id: made.id } }))
  const [todo] = todos satisfies Older.Todo[]
  expect(todo).toEqual({ id: todo?.id, content: "Look", status: "in_progress", priority: "high" })
  expect(await got(client.session.get({ path: { id: made.id } }))).toMatchObject({ title: "Older" })
  expect((await got(client.session.list())).map(({ id }) => id)).toContain(made.id)
})

test("a prompt gets a value of its format, and noReply only adds", async () => {
  const client = clients.flat()
  const { id: sessionID } = await got(client.session.create({ title: "Values" }))
  const added = await got(client.session.prompt({ sessionID, parts: text("By the way"), noReply: true }))
  expect(added).toMatchObject({ info: { role: "user" }, parts: [{ type: "text", text: "By the way" }] })
  const schema = { type: "object", properties: { fileCount: { type: "integer" } }, required: ["fileCount"] }
  const format = { type: "json_schema" as const, schema }
  const answer = await got(client.session.prompt({ sessionID, parts: text("count"), format }))
  expect(answer.info).toMatchObject({ role: "assistant", structured: { fileCount: 3 } })
  expect(await got(client.session.message({ sessionID, messageID: answer.info.id }))).toEqual(answer)
  const wrong = { ...format, schema: { type: "string" } }
  const failed = await got(client.session.prompt({ sessionID, parts: text("count"), format: wrong }))
  expect(failed.info).toMatchObject({ error: { name: "StructuredOutputError", data: { retries: 2 } } })
  expect(failed.info).not.toHaveProperty("structured")
  expect(await got(client.session.messages({ sessionID }))).toEqual(expect.arrayContaining([answer, failed]))
})

test("a child's prompt gives a value of its format; noReply adds", async () => {
  const client = clients.flat()
  const parent = await got(client.session.create({ title: "Values of a child" }))
  const { id: sessionID } = await got(client.session.create({ parentID: parent.id, title: "Counts" }))
  const added = await got(client.session.prompt({ sessionID, parts: text("By the way"), noReply: true }))
  expect(added).toMatchObject({ info: { role: "user", sessionID }, parts: [{ type: "text", text: "By the way" }] })
  expect(await service.local.task.list({ sessionID: parent.id })).toEqual([])
  const schema = { type: "object", properties: { fileCount: { type: "integer" } }, required: ["fileCount"] }
  const format = { type: "json_schema" as const, schema }
  const answer = await got(client.session.prompt({ sessionID, parts: text("count"), format }))
  expect(answer.info).toMatchObject({ role: "assistant", structured: { fileCount: 3 } })
  const messages = await got(client.session.messages({ sessionID }))
  expect([messages[0], messages.at(-1)]).toEqual([added, answer])
  const [{ id: taskID = "" } = {}] = await service.local.task.list({ sessionID: parent.id })
  expect(await service.local.task.get({ taskID })).toMatchObject({ output: { fileCount: 3 }, outputSchema: schema })
  const wrong = { ...format, schema: { type: "string" } }
  const failed = await got(client.session.prompt({ sessionID, parts: text("count"), format: wrong }))
  expect(failed.info).toMatchObject({ error: { name: "StructuredOutputError", data: { retries: 2 } } })
  release = Promise.withResolvers()
  await client.session.promptAsync({ sessionID, parts: text("hold the child") })
  await expect(client.session.prompt({ sessionID, parts: text("count"), format })).rejects.toThrow("works on something")
  release.resolve()
})

test("a child works on its prompt as a task of its parent", async () => {
  const client = clients.flat()
  release = Promise.withResolvers()
  const parent = await got(client.session.create({ title: "Parent" }))
  const names = ["todowrite", "task", "question", "bash"]
  const child = await got(
    client.session.create({
      parentID: parent.id,
      title: "Look around (@explore subagent)",
      directory: service.directory,
      permission: names.map((permission) => ({ permission, pattern: "*", action: "deny" })),
    }),
  )
  expect(child).toMatchObject({ parentID: parent.id, title: "Look around (@explore subagent)" })
  const given = { sessionID: child.id, agent: "explore", parts: text("hold on"), tools: { read: false } }
  const { response } = await client.session.promptAsync(given)
  expect(response.status).toBe(204)
  expect((await got(client.session.status()))[child.id]).toEqual({ type: "busy" })
  release.resolve()
  await expect.poll(async () => (await got(client.session.status()))[child.id]).toEqual({ type: "idle" })
  const messages = await got(client.session.messages({ sessionID: child.id }))
  expect(textsOf(messages.at(-1)?.parts ?? [])).toEqual(["You said hold on."])
  expect(offered.get("hold on")).toContain("grep")
  expect(offered.get("hold on")?.filter((name) => [...names, "read"].includes(name))).toEqual([])
  expect(await service.local.task.list({ sessionID: parent.id })).toMatchObject([
    {
      state: "completed",
      sessionID: child.id,
      agent: "explore",
      description: "Look around (@explore subagent)",
      delivered: "poll",
    },
  ])
  expect((await got(client.session.children({ sessionID: parent.id }))).map(({ id }) => id)).toEqual([child.id])
  // The parent is told nothing of it.
  expect(await got(client.session.messages({ sessionID: parent.id }))).toEqual([])
  const again = await got(client.session.prompt({ sessionID: child.id, agent: "explore", parts: text("go on") }))
  expect(textsOf(again.parts)).toEqual(["You said go on."])
})

test("abort stops a session, and its open prompt is answered", async () => {
  const client = clients.flat()
  release = Promise.withResolvers()
  const made = await got(client.session.create({ title: "Stopped" }))
  const open = client.session.prompt({ sessionID: made.id, parts: text("hold for the stop") })
  await expect.poll(() => offered.has("hold for the stop")).toBe(true)
  expect(await got(client.session.abort({ sessionID: made.id }))).toBe(true)
  const answer = await got(open)
  expect(answer.info.error).toMatchObject({ name: "MessageAbortedError" })
  release.resolve()
})

test("the events of a prompt tell everything that its messages hold", async () => {
  const client = clients.flat()
  const made = await got(client.session.create({ title: "Heard" }))
  release = Promise.withResolvers()
  const isMade = (event: Event) => "sessionID" in event.properties && event.properties.sessionID === made.id
  const prompt = () => client.session.prompt({ sessionID: made.id, parts: text("list") })
  const heard = await clients.eventsUntil(prompt, (event) => {
    if (event.type === "message.part.delta") release.resolve()
    return event.type === "session.idle" && isMade(event)
  })
  expect(heard[0]).toEqual({ id: "evt_1", type: "server.connected", properties: {} })
  const types = new Set(heard.map(({ type }) => type))
  const expected = "session.updated session.status message.updated message.part.updated message.part.delta todo.updated"
  expect(expected.split(" ").filter((type) => !types.has(type as Event["type"]))).toEqual([])
  const last = new Map<string, unknown>()
  for (const event of heard)
    if (event.type === "message.part.updated" && isMade(event))
      last.set(event.properties.part.id, event.properties.part)
  const messages = await got(client.session.messages({ sessionID: made.id }))
  expect(messages.flatMap(({ parts }) => parts)).toEqual(
    messages.flatMap(({ parts }) => parts.map(({ id }) => last.get(id))),
  )
})

test("events tell of new and deleted sessions and of permissions", async () => {
  const client = clients.flat()
  let id = ""
  const act = async () => {
    id = (await got(client.session.create({ title: "Asks" }))).id
    await client.session.promptAsync({ sessionID: id, parts: text("run") })
    await expect.poll(async () => (await service.local.permission.list({ rootID: id })).length).toBe(1)
    const [request] = await service.local.permission.list({ rootID: id })
    await service.local.permission.reply({ requestID: request?.id ?? "", reply: "reject" })
    await service.local.session.remove({ sessionID: id }, { requireOwn: () => undefined })
  }
  const heard = await clients.eventsUntil(act, (event) => event.type === "session.deleted")
  const created = heard.find((event) => event.type === "session.created")
  expect(created?.properties.info).toMatchObject({ id, title: "Asks" })
  const asked = heard.find((event) => event.type === "permission.asked")
  expect(asked?.properties).toMatchObject({ sessionID: id, permission: "bash", tool: { callID: expect.any(String) } })
  const replied = heard.find((event) => event.type === "permission.replied")
  expect(replied?.properties).toEqual({ sessionID: id, requestID: asked?.properties.id, reply: "reject" })
  expect(heard.at(-1)?.properties).toMatchObject({ sessionID: id, info: { id, title: "Asks" } })
})

test("agents, configuration and providers are those of the project", async () => {
  const client = clients.flat()
  const agents = await got(client.app.agents())
  const explore = agents.find(({ name }) => name === "explore")
  expect(explore).toMatchObject({ mode: "subagent", native: true })
  expect(explore?.permission).toContainEqual({ permission: "*", pattern: "*", action: "deny" })
  expect(await got(client.config.get())).toMatchObject({ model: "scripted/one" })
  const connected = await got(client.config.providers())
  expect(connected.default).toMatchObject({ scripted: "one" })
  expect(connected.providers.find(({ id }) => id === "scripted")?.models.one).toMatchObject({
    ...{ id: "one", providerID: "scripted", name: "One" },
    capabilities: { toolcall: true, input: { text: true } },
  })
  const all = await got(client.provider.list())
  expect(all.connected).toContain("scripted")
  expect(all.all.length).toBeGreaterThan(connected.providers.length)
  expect(JSON.stringify(all)).not.toContain("apiKey")
  expect((await got(clients.nested().app.agents())).map(({ name }) => name)).toContain("explore")
  expect((await got(clients.nested().provider.list())).connected).toContain("scripted")
})

test("a directory outside the open projects is refused and not opened", async () => {
  const outside = await realpath(await mkdtemp(path.join(tmpdir(), "docket-outside-")))
  onTestFinished(() => rm(outside, { recursive: true }))
  const client = clients.flat(outside)
  const refusal = `${outside} is not in an open project.`
  await expect(client.session.create()).rejects.toThrow(refusal)
  await expect(client.session.list()).rejects.toThrow(refusal)
  await expect(client.app.agents()).rejects.toThrow(refusal)
  await expect(client.config.get()).rejects.toThrow(refusal)
  expect((await service.local.project.list()).map(({ directory }) => directory)).toEqual([service.directory])
  // A directory below a project is in it, and none at all is the project that was opened last.
  const below = await got(
    clients.flat(path.join(service.directory, "some dir/ünder")).session.create({ title: "Below" }),
  )
  expect(below.directory).toBe(service.directory)
  expect((await got(clients.flat("").session.create({ title: "Anywhere" }))).directory).toBe(service.directory)
})

test("what Docket cannot keep is refused and says why", async () => {
  const client = clients.flat()
  const made = await got(client.session.create({ title: "Refused" }))
  const child = await got(client.session.create({ parentID: made.id, title: "Child" }))
  const prompt = (more: object, sessionID = made.id) =>
    client.session.prompt({ sessionID, parts: text("hello"), ...more })
  const nonsense = { format: { type: "json_schema", schema: { type: 3 } } }
  for (const sessionID of [made.id, child.id]) await expect(prompt(nonsense, sessionID)).rejects.toThrow("JSON Schema")
  await expect(prompt({ format: { type: "json_schema", schema: {}, retryCount: 9 } })).rejects.toThrow("retryCount")
  await expect(prompt({ agent: "nobody" })).rejects.toThrow('There is no agent "nobody".')
  await expect(prompt({ agent: "nobody" }, child.id)).rejects.toThrow('There is no agent "nobody".')
  await expect(prompt({ system: "Be short." }, child.id)).rejects.toThrow("system")
  const file = { type: "file", mime: "text/plain", url: "data:text/plain,x" }
  await expect(prompt({ parts: [file] }, child.id)).rejects.toThrow('"file"')
  const rule = (action: "ask" | "deny", pattern: string) => ({ permission: "bash", pattern, action })
  await expect(client.session.create({ permission: [rule("ask", "*")] })).rejects.toThrow("cannot keep the rule")
  const denying = { parentID: made.id, permission: [rule("deny", "rm *")] }
  await expect(client.session.create(denying)).rejects.toThrow("rules of the session above")
  const careful = await got(client.session.create({ permission: [rule("deny", "rm *")] }))
  expect(await service.local.session.get({ sessionID: careful.id })).toMatchObject({
    permission: [rule("deny", "rm *")],
  })
  // A rule that allows does not count.
  const allowed = await got(
    client.session.create({ permission: [{ permission: "bash", pattern: "*", action: "allow" }] }),
  )
  expect(allowed.permission).toEqual([])
  await client.session.promptAsync({ sessionID: allowed.id, parts: text("run") })
  await expect.poll(async () => (await service.local.permission.list({ rootID: allowed.id })).length).toBe(1)
  await client.session.abort({ sessionID: allowed.id })
})

test("only a token opens the routes, and errors have OpenCode's form", async () => {
  const get = (address: string, headers: Record<string, string>) =>
    send(service.url, `/opencode${address}`, { headers })
  for (const headers of [{}, { authorization: "Bearer wrong" }, { authorization: "Basic b3BlbmNvZGU6d3Jvbmc=" }])
    expect((await get("/session", headers)).status).toBe(401)
  const other = `Basic ${Buffer.from(`somebody:${clients.token}`).toString("base64")}`
  expect((await get("/session", { authorization: other })).status).toBe(401)
  // Only there is a password taken for a token.
  expect((await send(service.url, "/v1/todos", { headers: clients.basic })).status).toBe(401)
  const missing = await get(`/session/ses_${"0".repeat(26)}`, clients.basic)
  expect([missing.status, JSON.parse(missing.body)]).toEqual([
    404,
    { name: "NotFoundError", data: { message: missingSessionText(`ses_${"0".repeat(26)}`) } },
  ])
  const unknown = await get("/pty", clients.basic)
  expect(unknown.status).toBe(404)
  expect(JSON.parse(unknown.body).data.message).toContain(
    "Docket has no GET /pty for OpenCode's clients. It has: GET /global/health",
  )
  expect(JSON.parse((await get("/session/nothing", clients.basic)).body)).toMatchObject({
    name: "BadRequest",
    _tag: "InvalidRequestError",
  })
  const robot = await service.opened.tenants.createToken({ tenantID: "robots", name: "robot" })
  expect((await get("/session", { authorization: `Bearer ${robot.token}` })).status).toBe(404)
})
