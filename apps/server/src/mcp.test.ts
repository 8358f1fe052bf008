import { readFile } from "node:fs/promises"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest"
import { type ScriptedProvider, startScriptedProvider } from "./test/scripted-provider.ts"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"
import { send } from "./test/start-test-service.ts"

let provider: ScriptedProvider
let service: OpenedService
let token: string
let release = Promise.withResolvers<void>()

beforeAll(async () => {
  provider = await startScriptedProvider(async ({ prompt, results }) => {
    if (prompt.startsWith("hold")) await release.promise
    if (prompt.startsWith("run") && results.length === 0)
      return {
        text: "",
        calls: [{ name: "bash", args: { command: `touch ${prompt.slice(4)}`, description: "Touch" } }],
      }
    return { text: `You said ${prompt}.${results.map((result) => ` Result: ${result}`).join("")}` }
  })
  service = await startOpenedService({}, { ...provider.config, permission: { bash: "ask" } })
  token = (await readFile(service.tokenFile, "utf8")).trim()
})
afterAll(async () => {
  await service.remove()
  await provider.stop()
})

/** The revision of the protocol that has no sessions. Older ones are negotiated. */
const newest = "2026-07-28"

type Asked = { message: string }
type Reply = { action: "accept" | "decline" | "cancel"; content?: { answer: string } }

/** A client of the SDK. With `answer` it can ask its user. */
async function connect({
  name = "tester",
  revision,
  answer,
}: {
  name?: string
  revision?: string
  answer?: (asked: Asked) => Reply
} = {}) {
  const client = new Client(
    { name, version: "1.0.0" },
    {
      ...(answer && { capabilities: { elicitation: { form: {} } } }),
      versionNegotiation: { mode: revision === newest ? { pin: newest } : "legacy" },
    },
  )
  if (answer) client.setRequestHandler("elicitation/create", async ({ params }) => answer(params))
  const headers = { authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit: { headers } }))
  onTestFinished(() => client.close())
  return client
}

async function call(client: Client, name: string, given: object = {}, options: object = {}) {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: { ...given } }, options)
  const [first] = content as { type: string; text: string }[]
  return { text: first?.text ?? "", data: structuredContent as Record<string, unknown>, isError }
}

describe.each(["2025-11-25", newest])("a client of revision %s", (revision) => {
  test("lists the tools, delegates, and reads the result", async () => {
    const client = await connect({ revision })
    const { tools } = await client.listTools()
    const names =
      "delegate task_result gather message_task cancel_task todo_list todo_update list_agents search_sessions"
    expect(tools.map(({ name }) => name)).toEqual(names.split(" "))
    const started = await call(client, "delegate", { agent: "explore", prompt: `look around ${revision}` })
    expect(started.data).toMatchObject({ agent: "explore", description: `look around ${revision}` })
    const ended = await call(client, "task_result", { task: started.data.task })
    expect(ended.data).toMatchObject({ state: "completed", result: `You said look around ${revision}.` })
    expect(ended.text).toContain(`You said look around ${revision}.`)
    const task = await service.local.task.get({ taskID: String(started.data.task) })
    expect(ended.data.link).toBe(`${service.url}/review/${task.rootID}?task=${task.id}`)
    const root = await service.local.session.get({ sessionID: task.rootID })
    expect(root).toMatchObject({ title: "Work for tester", directory: service.directory, parentID: null })
    // Nothing is shared by the link, and no turn of the root tells of the end.
    expect(await service.local.share.list({ rootID: root.id })).toEqual([])
    expect((await service.local.session.messages({ sessionID: root.id })).items).toEqual([])
  })

  test("answers a permission, and the work goes on", async () => {
    const asked: string[] = []
    const file = `made-${revision}`
    const answer = ({ message }: Asked): Reply => {
      asked.push(message)
      return { action: "accept", content: { answer: "once" } }
    }
    const client = await connect({ revision, answer })
    const { data } = await call(client, "delegate", { agent: "general", prompt: `run ${file}` })
    const ended = await call(client, "task_result", { task: data.task, wait_seconds: 60 })
    expect(ended.data).toMatchObject({ state: "completed", waits_for: [] })
    expect(asked).toEqual([expect.stringContaining(`touch ${file}`)])
    expect(await readFile(`${service.directory}/${file}`, "utf8")).toBe("")
  })

  test("who gives no answer leaves the permission to the desk", async () => {
    const client = await connect({ revision, answer: () => ({ action: "cancel" }) })
    const { data } = await call(client, "delegate", { agent: "general", prompt: "run unasked" })
    const { rootID } = await service.local.task.get({ taskID: String(data.task) })
    await expect.poll(async () => (await service.local.permission.list({ rootID })).length).toBe(1)
    const waiting = await call(client, "task_result", { task: data.task, wait_seconds: 1 })
    expect(waiting.data).toMatchObject({ state: "running", waits_for: [expect.stringContaining("touch unasked")] })
    expect(waiting.text).toContain("A person answers at the link.")
    const cancelled = await call(client, "cancel_task", { task: data.task })
    expect(cancelled.data).toMatchObject({ state: "cancelled" })
  })

  test("hears of progress while it waits", async () => {
    release = Promise.withResolvers()
    const heard: (string | undefined)[] = []
    const client = await connect({ revision })
    const one = await call(client, "delegate", { agent: "explore", prompt: "hold one" })
    const two = await call(client, "delegate", { agent: "explore", prompt: "two" })
    const first = await call(client, "gather", { tasks: [one.data.task, two.data.task], mode: "any" })
    expect(first.data.tasks).toMatchObject([{ state: "running" }, { state: "completed" }])
    const onprogress = ({ message }: { message?: string }) => {
      heard.push(message)
      release.resolve()
    }
    const all = await call(client, "gather", { tasks: [one.data.task, two.data.task] }, { onprogress })
    expect(all.data.tasks).toMatchObject([{ state: "completed" }, { state: "completed" }])
    expect(heard[0]).toBe("1 of 2 tasks rest; 0 calls of tools so far")
  })
})

test("tasks of one client session are in one tree, others in another", async () => {
  const rootsOf = async (client: Client) => {
    const started = []
    for (const prompt of ["first", "second"]) {
      const { data } = await call(client, "delegate", { agent: "explore", prompt })
      started.push((await service.local.task.get({ taskID: String(data.task) })).rootID)
    }
    return new Set(started)
  }
  const [one, two] = [await connect({ revision: "2025-11-25" }), await connect({ revision: "2025-11-25" })]
  const roots = [await rootsOf(one), await rootsOf(two)]
  expect(roots.map(({ size }) => size)).toEqual([1, 1])
  expect(new Set(roots.flatMap((set) => [...set])).size).toBe(2)
})

test("a message reaches a working task, or resumes an ended one", async () => {
  release = Promise.withResolvers()
  const client = await connect()
  const { data } = await call(client, "delegate", { agent: "explore", prompt: "hold for a message" })
  await expect.poll(async () => (await service.local.task.get({ taskID: String(data.task) })).state).toBe("running")
  expect((await call(client, "message_task", { task: data.task, message: "Be quick." })).data.task).toBe(data.task)
  release.resolve()
  const ended = await call(client, "task_result", { task: data.task })
  expect(ended.data.state).toBe("completed")
  const next = await call(client, "message_task", { task: data.task, message: "once more" })
  expect(next.data).toMatchObject({ session: ended.data.session, agent: "explore" })
  expect(next.data.task).not.toBe(data.task)
  expect((await call(client, "task_result", { task: next.data.task })).data.result).toBe("You said once more.")
})

test("todos, agents and sessions are those of the caller's workspace", async () => {
  const client = await connect()
  const made = await call(client, "todo_update", { content: "Write the report", priority: "high" })
  const [todo] = made.data.todos as { todo: number }[]
  await call(client, "todo_update", { todo: todo?.todo, status: "completed" })
  const list = await call(client, "todo_list")
  expect(list.data.todos).toMatchObject([{ content: "Write the report", status: "completed", priority: "high" }])
  expect((await call(client, "todo_update", { status: "pending" })).isError).toBe(true)
  const agents = await call(client, "list_agents", { directory: service.directory })
  expect((agents.data.agents as { name: string }[]).map(({ name }) => name)).toContain("explore")
  await service.local.session.create({ projectID: (await service.local.project.list())[0]?.id ?? "", title: "Zebra" })
  const found = await call(client, "search_sessions", { query: "zebra" })
  expect(found.data.found).toMatchObject([{ title: "Zebra", kind: "title", link: expect.stringContaining("/s/ses_") }])
})

test("a directory outside the open projects is refused, and stays unopened", async () => {
  const client = await connect()
  for (const directory of ["/usr", "relative"]) {
    const refused = await call(client, "delegate", { agent: "explore", prompt: "look", directory })
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(directory) })
  }
  expect((await service.local.project.list()).map(({ directory }) => directory)).toEqual([service.directory])
})

test("a task that is not the caller's to see is not there", async () => {
  const client = await connect()
  const task = `tsk_${"0".repeat(26)}`
  const given = {
    task_result: { task },
    gather: { tasks: [task] },
    message_task: { task, message: "x" },
    cancel_task: { task },
  }
  for (const [name, input] of Object.entries(given)) {
    const refused = await call(client, name, input)
    expect([name, refused]).toEqual([name, { text: `There is no task ${task}.`, data: undefined, isError: true }])
  }
})

test("only tokens open it, from no other host or origin", async () => {
  const post = (headers: Record<string, string>, body = "{}") =>
    send(service.url, "/mcp", { method: "POST", headers: { "content-type": "application/json", ...headers }, body })
  expect((await post({})).status).toBe(401)
  expect((await post({ authorization: "Bearer wrong" })).status).toBe(401)
  const authorization = `Bearer ${token}`
  expect((await post({ authorization }, "{")).status).toBe(400)
  expect((await post({ authorization, host: "evil.example.com" })).status).toBe(421)
  expect((await post({ authorization, origin: "http://evil.example.com" })).status).toBe(403)
  expect((await send(service.url, "/mcp", { headers: { authorization } })).status).toBe(405)
  const robot = await service.opened.tenants.createToken({ tenantID: "robots", name: "robot" })
  expect((await post({ authorization: `Bearer ${robot.token}` })).status).toBe(404)
})

test("a forged answer changes nothing; a forged session opens nothing", async () => {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const answer = {
    jsonrpc: "2.0",
    id: `per_${"0".repeat(26)}`,
    result: { action: "accept", content: { answer: "once" } },
  }
  const unknown = await send(service.url, "/mcp", { method: "POST", headers, body: JSON.stringify(answer) })
  expect(unknown.status).toBe(404)
  const forged = Buffer.from(JSON.stringify({ id: "x", name: "x".repeat(5_000), elicits: true })).toString("base64url")
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
  const accept = "application/json, text/event-stream"
  const sent = await send(service.url, "/mcp", {
    method: "POST",
    headers: { ...headers, accept, "mcp-session-id": forged },
    body: JSON.stringify(ping),
  })
  expect(sent.status).toBe(200)
})
