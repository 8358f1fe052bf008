import { readFile } from "node:fs/promises"
import { parseInlineCommands } from "@docket/core/inline-command"
import { z } from "zod"
import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import type { Server } from "./workplace.ts"

const todoCount = 10_000
/** Parallel requests that fill the list. */
const writers = 16

/** Todos over HTTP, and commands in text. OpenCode has neither a tracker nor such commands. */
export const todoMeasurements: Measurement[] = [
  { name: "todos", label: "list of 10,000 todos (200 a page)", unit: "ms", aim: 20, opencode: "–", measure: listTodos },
  { name: "one-todo", label: "read one of 10,000 todos", unit: "ms", aim: 2, opencode: "–", measure: readTodo },
  { name: "todo", label: "patch one of 10,000 todos", unit: "ms", aim: 5, opencode: "–", measure: patchTodo },
  {
    name: "own-page",
    label: "list of a session with 10,000 of its own (200 a page)",
    unit: "ms",
    aim: 20,
    opencode: "–",
    measure: listPageOfSession,
  },
  { name: "own-list", label: "all 10,000 of that session", unit: "ms", aim: 20, opencode: "–", measure: listSession },
  { name: "own-patch", label: "patch one of those", unit: "ms", aim: 5, opencode: "–", measure: patchInSession },
  {
    name: "writs",
    label: "1 MB of inline commands, worst of 4 kinds",
    unit: "ms",
    aim: 100,
    opencode: "–",
    inProcess: true,
    measure: parseMegabyte,
  },
]

type Call = (method: string, path: string, body?: object) => Promise<unknown>

/** Filled once per server. */
const filled = new WeakMap<Server, Promise<Call>>()

function tracker({ server }: Stage): Promise<Call> {
  const known = filled.get(server) ?? fillTracker(server)
  filled.set(server, known)
  return known
}

/** A separate tenant with 10,000 todos, so that no agent sees them. */
async function fillTracker(server: Server): Promise<Call> {
  const call = callAs(server, await makeToken(server, "bench"))
  await addTodos(call, (index) => ({ subject: `todo ${index}` }))
  return call
}

/** A session with 10,000 todos that no client follows. */
interface LongList {
  sessionID: string
  /** Number of one of the first todos. */
  first: number
  call: Call
  /** Reads the whole list. */
  readAll(): Promise<unknown>
}

const longLists = new WeakMap<Server, Promise<LongList>>()

function longList(stage: Stage): Promise<LongList> {
  const known = longLists.get(stage.server) ?? fillSession(stage)
  longLists.set(stage.server, known)
  return known
}

const Made = z.object({ todo: z.object({ id: z.number() }) })

async function fillSession({ desk, server }: Stage): Promise<LongList> {
  const sessionID = await desk.createSession()
  const call = callAs(server, await makeToken(server, "local"))
  const todo = (index: number) => ({ subject: `todo ${index}`, conversation_id: sessionID })
  const made = Made.parse(await call("POST", "/v1/todos", todo(0)))
  await addTodos(call, todo)
  const asOwner = callAs(server, await ownToken(server))
  return { sessionID, first: made.todo.id, call, readAll: () => asOwner("GET", `/session/${sessionID}/todo`) }
}

async function ownToken(server: Server): Promise<string> {
  return (await readFile(server.tokenFile, "utf8")).trim()
}

async function makeToken(server: Server, tenant: string): Promise<string> {
  const made = await callAs(server, await ownToken(server))("POST", "/api/tokens", { tenant, name: "bench" })
  return z.object({ token: z.string() }).parse(made).token
}

function callAs(server: Server, token: string): Call {
  return async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    // The content of the list is not parsed, because that is not measured.
    return method === "GET" ? await answer.arrayBuffer() : await answer.json()
  }
}

async function addTodos(call: Call, todo: (index: number) => object): Promise<void> {
  const left = Array.from({ length: todoCount }, (_, index) => index)
  const write = async () => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) await call("POST", "/v1/todos", todo(index))
  }
  await Promise.all(Array.from({ length: writers }, write))
}

async function listTodos(stage: Stage): Promise<number> {
  const call = await tracker(stage)
  return medianOf(20, () => call("GET", "/v1/todos"))
}

async function readTodo(stage: Stage): Promise<number> {
  const call = await tracker(stage)
  return medianOf(200, (run) => call("GET", `/v1/todos/${run * 30 + 1}`))
}

async function patchTodo(stage: Stage): Promise<number> {
  const call = await tracker(stage)
  return medianOf(50, (run) => call("PATCH", `/v1/todos/${run * 150 + 1}`, { status: "completed" }))
}

async function listPageOfSession(stage: Stage): Promise<number> {
  const { call, sessionID } = await longList(stage)
  return medianOf(20, () => call("GET", `/v1/todos?conversation_id=${sessionID}`))
}

async function listSession(stage: Stage): Promise<number> {
  const { readAll } = await longList(stage)
  return medianOf(20, readAll)
}

async function patchInSession(stage: Stage): Promise<number> {
  const { call, first } = await longList(stage)
  return medianOf(50, (run) => call("PATCH", `/v1/todos/${first + run * 150}`, { status: "completed" }))
}

async function parseMegabyte(): Promise<number> {
  const kinds = [
    "/todo add one thing\nand prose\n",
    "/todo add x\n```\n/todo list\n```\n",
    "/todo add x\n",
    "A line of prose.\n",
  ]
  let worst = 0
  for (const kind of kinds) {
    const text = kind.repeat(Math.ceil(1_000_000 / kind.length)).slice(0, 1_000_000)
    worst = Math.max(worst, await medianOf(5, async () => parseInlineCommands(text, { finished: true })))
  }
  return worst
}

async function medianOf(runs: number, work: (run: number) => Promise<unknown>): Promise<number> {
  const values: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work(run)
    values.push(performance.now() - start)
  }
  return median(values)
}
