import { readFile } from "node:fs/promises"
import { parseWrits } from "@docket/core/writ"
import { z } from "zod"
import type { Measurement, Stage } from "./measurement.ts"
import { median } from "./median.ts"
import type { Server } from "./workplace.ts"

const todoCount = 10_000
/** Requests that fill the list at once. */
const writers = 16

/** Todos over HTTP, and commands in text. OpenCode has neither a tracker nor commands of this kind. */
export const todoMeasurements: Measurement[] = [
  { name: "todos", label: "list of 10,000 todos (200 a page)", unit: "ms", aim: 20, opencode: "–", measure: listTodos },
  { name: "todo", label: "patch one of 10,000 todos", unit: "ms", aim: 5, opencode: "–", measure: patchTodo },
  {
    name: "writs",
    label: "1 MB of writs, worst of 4 kinds",
    unit: "ms",
    aim: 100,
    opencode: "–",
    measure: parseMegabyte,
  },
]

type Call = (method: string, path: string, body?: object) => Promise<void>

/** Filled once a server. */
const filled = new WeakMap<Server, Promise<Call>>()

function tracker({ server }: Stage): Promise<Call> {
  const known = filled.get(server) ?? fillTracker(server)
  filled.set(server, known)
  return known
}

/** Calls of a tenant of its own that has 10,000 todos, so that no agent sees them. */
async function fillTracker(server: Server): Promise<Call> {
  const own = (await readFile(server.tokenFile, "utf8")).trim()
  const made = await fetch(`${server.url}/api/tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${own}`, "content-type": "application/json" },
    body: JSON.stringify({ tenant: "bench", name: "bench" }),
  })
  const { token } = z.object({ token: z.string() }).parse(await made.json())
  const call: Call = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${server.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
  }
  const left = Array.from({ length: todoCount }, (_, index) => `todo ${index}`)
  const write = async () => {
    for (let subject = left.pop(); subject !== undefined; subject = left.pop())
      await call("POST", "/v1/todos", { subject })
  }
  await Promise.all(Array.from({ length: writers }, write))
  return call
}

async function listTodos(stage: Stage): Promise<number> {
  const call = await tracker(stage)
  return medianOf(20, () => call("GET", "/v1/todos"))
}

async function patchTodo(stage: Stage): Promise<number> {
  const call = await tracker(stage)
  return medianOf(50, (run) => call("PATCH", `/v1/todos/${run * 150 + 1}`, { status: "completed" }))
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
    worst = Math.max(worst, await medianOf(5, async () => void parseWrits(text, { finished: true })))
  }
  return worst
}

async function medianOf(runs: number, work: (run: number) => Promise<void>): Promise<number> {
  const values: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work(run)
    values.push(performance.now() - start)
  }
  return median(values)
}
