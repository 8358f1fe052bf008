import { readFile } from "node:fs/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { type ScriptedProvider, startScriptedProvider } from "./test/scripted-provider.ts"
import { type OpenedService, startOpenedService } from "./test/start-opened-service.ts"

let provider: ScriptedProvider
let service: OpenedService
let token: string
let projectID: string
/** Holds answers to prompts that begin with "hold", and the end of the one to "slow", until it is resolved. */
let release = Promise.withResolvers<void>()

beforeAll(async () => {
  provider = await startScriptedProvider(async ({ prompt, results }) => {
    if (prompt.startsWith("hold")) await release.promise
    const isFirst = results.length === 0
    if (prompt === "run" && isFirst)
      return { text: "", calls: [{ name: "bash", args: { command: "touch made-by-run", description: "Touch" } }] }
    if (prompt === "ask" && isFirst) {
      const options = ["Red", "Blue"].map((label) => ({ label, description: label }))
      const questions = [{ header: "Colour", question: "Which colour?", options, multiple: false }]
      return { text: "", calls: [{ name: "question", args: { questions } }] }
    }
    if (prompt === "list" && isFirst) {
      const todos = [{ content: "Look", status: "in_progress", priority: "high" }]
      return { text: "", calls: [{ name: "todowrite", args: { todos } }] }
    }
    if (prompt.startsWith("count")) return { text: '{"fileCount": 3}' }
    return { text: `You said ${prompt} indeed.`, ...(prompt === "slow" && { beforeLast: release.promise }) }
  })
  service = await startOpenedService({}, { ...provider.config, permission: { bash: "ask" } })
  token = (await readFile(service.tokenFile, "utf8")).trim()
  const { projects } = await got("/projects", z.object({ projects: z.array(z.object({ id: z.string() })) }))
  projectID = projects[0]?.id ?? ""
})
afterAll(async () => {
  await service.remove()
  await provider.stop()
})

const Session = z.looseObject({ id: z.string(), title: z.string(), project_id: z.string(), root_id: z.string() })
const Turn = z.looseObject({ id: z.string(), session_id: z.string(), status: z.string() })
const Event = z.looseObject({ type: z.string(), properties: z.record(z.string(), z.unknown()).default({}) })
const Page = z.object({ events: z.array(Event), next_cursor: z.string() })
type Event = z.infer<typeof Event>

async function call(method: string, path: string, body?: object, headers: Record<string, string> = {}) {
  const answer = await fetch(`${service.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get("content-type") ?? "")
  return { status: answer.status, type: answer.headers.get("content-type"), body: isJson ? JSON.parse(text) : text }
}

async function got<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(done(await call("GET", path)))
}

async function posted<T>(path: string, body: object | undefined, schema: z.ZodType<T>): Promise<T> {
  return schema.parse(done(await call("POST", path, body)))
}

function done({ status, body }: { status: number; body: unknown }): unknown {
  if (status >= 300) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body
}

const text = (words: string) => ({ parts: [{ type: "text", text: words }] })
const newSession = (title: string) => posted("/sessions", { project_id: projectID, title }, Session)
const eventsOf = (id: string, after: string, wait = 30) =>
  got(`/sessions/${id}/events?after=${after}&wait=${wait}`, Page)

/** Reads pages until an event passes, and gives all up to it. */
async function pagesUntil(id: string, after: string, isLast: (event: Event) => boolean): Promise<Event[]> {
  const heard: Event[] = []
  for (let cursor = after; ; ) {
    const page = await eventsOf(id, cursor)
    heard.push(...page.events)
    if (heard.some(isLast)) return heard
    cursor = page.next_cursor
  }
}

const isEnd = (turn: { id: string }) => (event: Event) =>
  event.type === "turn.updated" &&
  Turn.parse(event.properties.turn).id === turn.id &&
  !["queued", "running"].includes(Turn.parse(event.properties.turn).status)

test("a program starts, prompts, allows, follows and reads a session", async () => {
  const session = await newSession("By a program")
  const { next_cursor: before } = await got(`/sessions/${session.id}/events`, Page)
  const turn = await posted(`/sessions/${session.id}/prompts`, text("run"), Turn)
  expect(turn.session_id).toBe(session.id)
  const asked = await pagesUntil(session.id, before, ({ type }) => type === "permission.asked")
  expect(asked.map(({ type }) => type)).toContain("message.updated")
  const { permissions } = await got(
    `/permissions?session=${session.id}`,
    z.object({ permissions: z.array(z.looseObject({ id: z.string(), session_id: z.string() })) }),
  )
  expect(permissions).toMatchObject([{ session_id: session.id, permission: "bash", metadata: { kind: "command" } }])
  const request = permissions[0]?.id
  const allowed = await posted(`/permissions/${request}/reply`, { reply: "once" }, z.looseObject({}))
  expect(allowed).toMatchObject({ id: request, status: "once" })
  expect((await call("POST", `/permissions/${request}/reply`, { reply: "once" })).status).toBe(409)
  await pagesUntil(session.id, before, isEnd(turn))
  expect(await got(`/turns/${turn.id}`, Turn)).toMatchObject({ status: "completed", message_id: expect.any(String) })
  const { items } = (await call("GET", `/sessions/${session.id}/messages`)).body
  const parts = items.flatMap((it: { parts: object[] }) => it.parts)
  expect(parts).toContainEqual(expect.objectContaining({ type: "text", text: "You said run indeed." }))
  // What a tool takes is its own: it keeps its names.
  const bash = parts.find((part: { type: string }) => part.type === "tool")
  expect(bash).toMatchObject({ call_id: expect.any(String), state: { input: { command: "touch made-by-run" } } })
})

test("a program gets the value of its own schema, names unchanged", async () => {
  const output_schema = { type: "object", properties: { fileCount: { type: "integer" } }, required: ["fileCount"] }
  const { session, turn } = await posted(
    "/sessions/start",
    { project_id: projectID, ...text("count"), output_schema },
    z.object({ session: Session, turn: Turn }),
  )
  await pagesUntil(session.id, "0", isEnd(turn))
  const ended = { status: "completed", input: { output_schema }, output: { fileCount: 3 } }
  expect(await got(`/turns/${turn.id}`, Turn)).toMatchObject(ended)
  const added = await posted(`/sessions/${session.id}/prompts`, { ...text("By the way"), no_reply: true }, Turn)
  const wrong = await call("POST", `/sessions/${session.id}/prompts`, { ...text("count"), output_schema: { type: 3 } })
  expect([wrong.status, wrong.body.code]).toEqual([400, "invalid_input"])
  await pagesUntil(session.id, "0", isEnd(added))
  const { items } = (await call("GET", `/sessions/${session.id}/messages`)).body
  expect(items.at(-1).info.role).toBe("user")
})

test("a program reads what was done and spent, and who works", async () => {
  const Figures = z.object({ turns: z.number(), duration: z.number(), tokens: z.looseObject({ input: z.number() }) })
  const Stats = z.object({ total: Figures, projects: z.array(Figures.extend({ project_id: z.string() })) })
  const before = await got(`/stats?project=${projectID}&days=1`, Stats)
  release = Promise.withResolvers()
  const session = await newSession("Counted")
  const turn = await posted(`/sessions/${session.id}/prompts`, text("hold and count"), Turn)
  await pagesUntil(session.id, "0", ({ type }) => type === "message.updated")
  const Working = z.object({ sessions: z.array(z.looseObject({ session_id: z.string() })) })
  const { sessions } = await got(`/status?project=${projectID}`, Working)
  const mine = sessions.find(({ session_id }) => session_id === session.id)
  expect(mine).toMatchObject({ root_id: session.id, status: { type: "busy" }, queued: 0 })
  release.resolve()
  await pagesUntil(session.id, "0", isEnd(turn))
  const { total, projects } = await got("/stats?days=1&utc_offset=60", Stats)
  expect(total.turns).toBe(before.total.turns + 1)
  expect(projects.map(({ project_id }) => project_id)).toEqual([projectID])
  expect((await got("/status", Working)).sessions.map(({ session_id }) => session_id)).not.toContain(session.id)
  expect((await call("GET", "/stats?project=nothing")).status).toBe(400)
})

test("a program answers and dismisses questions", async () => {
  const Questions = z.object({ questions: z.array(z.looseObject({ id: z.string() })) })
  for (const [act, body] of [
    ["answer", { answers: [{ choices: ["Blue"], own: null }] }],
    ["dismiss", { message: "Choose yourself." }],
  ] as const) {
    const { session, turn } = await posted(
      "/sessions/start",
      { project_id: projectID, ...text("ask") },
      z.object({ session: Session, turn: Turn }),
    )
    await pagesUntil(session.id, "0", ({ type }) => type === "permission.asked")
    const { questions } = await got(`/questions?session=${session.id}`, Questions)
    expect(questions).toMatchObject([{ metadata: { kind: "question", questions: [{ header: "Colour" }] } }])
    const ended = await posted(`/questions/${questions[0]?.id}/${act}`, body, z.looseObject({ status: z.string() }))
    expect(ended.status).toBe(act === "answer" ? "answered" : "dismissed")
    await pagesUntil(session.id, "0", isEnd(turn))
  }
})

test("a program stops a session and takes queued prompts back", async () => {
  release = Promise.withResolvers()
  const session = await newSession("To be stopped")
  const { next_cursor: before } = await got(`/sessions/${session.id}/events`, Page)
  const running = await posted(`/sessions/${session.id}/prompts`, text("hold on"), Turn)
  await pagesUntil(session.id, before, ({ type }) => type === "message.updated")
  const [taken, left] = [
    await posted(`/sessions/${session.id}/prompts`, text("second"), Turn),
    await posted(`/sessions/${session.id}/prompts`, text("third"), Turn),
  ]
  expect((await call("DELETE", `/turns/${taken.id}`)).body).toEqual({ withdrawn: true })
  expect((await call("DELETE", `/turns/${running.id}`)).body).toEqual({ withdrawn: false })
  const fourth = await posted(`/sessions/${session.id}/prompts`, { ...text("fourth"), steer: true }, Turn)
  const patched = (turn: { id: string }, change: object) => call("PATCH", `/turns/${turn.id}`, change)
  expect((await patched(fourth, { before: left.id, ...text("changed") })).body).toEqual({ changed: true })
  expect(await got(`/turns/${fourth.id}`, Turn)).toMatchObject({ input: { steer: true, parts: text("changed").parts } })
  expect((await patched(running, { before: null })).body).toEqual({ changed: false })
  expect((await patched(fourth, { before: taken.id })).status).toBe(404)
  expect((await call("DELETE", `/turns/${fourth.id}`)).body).toEqual({ withdrawn: true })
  const { body } = await call("POST", `/sessions/${session.id}/stop`)
  expect(body).toMatchObject({ withdrawn: [{ id: left.id }] })
  expect(await got(`/turns/${running.id}`, Turn)).toMatchObject({ status: "aborted" })
  release.resolve()
})

test("lists, changes and removals of sessions reach their end by cursors", async () => {
  const made = [await newSession("Paged one"), await newSession("Paged two"), await newSession("Paged three")]
  const Listed = z.object({ items: z.array(z.object({ session: Session })), next_cursor: z.string().nullable() })
  const found: string[] = []
  for (let cursor: string | null = ""; cursor !== null; ) {
    const from: string = cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`
    const page: z.infer<typeof Listed> = await got(`/sessions?project=${projectID}&search=Paged&limit=2${from}`, Listed)
    found.push(...page.items.map(({ session }) => session.id))
    cursor = page.next_cursor
  }
  expect(found.toSorted()).toEqual(made.map(({ id }) => id).toSorted())
  const [one] = made
  const fork = await posted(`/sessions/${one?.id}/fork`, {}, Session)
  expect([fork.id === one?.id, fork.root_id === fork.id]).toEqual([false, true])
  const path = `/sessions/${one?.id}`
  expect((await call("PATCH", path, { archived: true, title: "Put away" })).body).toMatchObject({
    title: "Put away",
    time: { archived: expect.any(Number) },
  })
  expect((await call("DELETE", path)).body).toEqual({ deleted: true })
  expect((await call("GET", path)).status).toBe(404)
})

test("tree, tasks and todos of a session are in snake_case throughout", async () => {
  const { session, turn } = await posted(
    "/sessions/start",
    { project_id: projectID, ...text("list") },
    z.object({ session: Session, turn: Turn }),
  )
  await pagesUntil(session.id, "0", isEnd(turn))
  const work = { agent: "explore", description: "Look around", prompt: "Look" }
  const Task = z.looseObject({ id: z.string(), root_id: z.string() })
  const task = await posted(`/sessions/${session.id}/tasks`, work, Task)
  expect(task.root_id).toBe(session.id)
  expect((await call("POST", `/tasks/${task.id}/cancel`)).body).toMatchObject({ id: task.id })
  const answers = [
    (await call("GET", `/sessions/${session.id}/tree`)).body,
    (await call("GET", `/sessions/${session.id}/tasks`)).body,
    (await call("GET", `/sessions/${session.id}/todos`)).body,
    (await call("GET", `/sessions/${session.id}`)).body,
    (await call("GET", `/tasks/${task.id}`)).body,
    (await eventsOf(session.id, "0")).events,
    (await call("GET", `/sessions/${session.id}/messages`)).body,
  ]
  expect(answers[0]).toMatchObject({ todos: { [session.id]: [{ content: "Look", session_id: session.id }] } })
  expect(answers[1]).toMatchObject({ tasks: [{ id: task.id, usage: { tool_calls: expect.any(Number) } }] })
  expect(answers[2]).toMatchObject({ todos: [{ content: "Look", depends_on: [] }] })
  for (const answer of answers) expect(oddNames(answer)).toEqual([])
})

/** The names of fields that are not in snake_case. Keys that are ids, and what tools take and keep, are data. */
function oddNames(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => oddNames(item, at))
  if (value === null || typeof value !== "object") return []
  return Object.entries(value).flatMap(([name, held]) => {
    const isData = /^[a-z]{3}_[0-9a-zA-Z]{26}$/.test(name)
    if (!isData && !/^[a-z][a-z0-9_]*$/.test(name)) return [`${at}.${name}`]
    const isOfTool = at.endsWith(".state") && (name === "input" || name === "metadata")
    return isOfTool ? [] : oddNames(held, `${at}.${name}`)
  })
}

test("a stream sends events with deltas and resumes after its last id", async () => {
  release = Promise.withResolvers()
  const session = await newSession("Streamed")
  const stop = new AbortController()
  const follow = (headers: Record<string, string> = {}) =>
    fetch(`${service.url}/v1/sessions/${session.id}/stream?after=0`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
      signal: stop.signal,
    })
  const first = read(await follow())
  const turn = await posted(`/sessions/${session.id}/prompts`, text("slow"), Turn)
  const heard: string[] = []
  const ids: string[] = []
  for await (const { id, event } of first) {
    expect(oddNames(event)).toEqual([])
    heard.push(event.type)
    ids.push(id)
    if (event.type === "message.part.delta") release.resolve()
    if (isEnd(turn)(event)) break
  }
  expect(heard).toContain("message.part.delta")
  expect(ids[0]).toBe(`${session.id}:1`)
  // The session itself came first, and does not come again.
  for await (const { id } of read(await follow({ "last-event-id": `${session.id}:1` }))) {
    expect(Number(id.split(":")[1])).toBeGreaterThan(1)
    break
  }
  stop.abort()
})

/** The events of a stream, without pings. */
async function* read(answer: Response): AsyncGenerator<{ id: string; event: Event & { seq?: unknown } }> {
  let waiting = ""
  for await (const chunk of answer.body ?? []) {
    waiting += Buffer.from(chunk).toString()
    const frames = waiting.split("\n\n")
    waiting = frames.pop() ?? ""
    for (const frame of frames) {
      const [, id = "", data = ""] = /^id: (\S+)\ndata: (.+)$/s.exec(frame) ?? []
      if (data !== "") yield { id, event: Event.parse(JSON.parse(data)) }
    }
  }
}

test("a cursor of the future asks for a fresh look", async () => {
  const session = await newSession("Cursors")
  expect((await eventsOf(session.id, "999")).events).toMatchObject([{ type: "resync", root_id: session.id }])
  expect((await call("GET", `/sessions/${session.id}/events?after=yesterday`)).body.error).toContain("next_cursor")
  expect((await call("GET", "/todos?cursor=-1")).status).toBe(400)
})

test("lists of todos, memory and schedules go on at next_cursor", async () => {
  for (const subject of ["a", "b", "c"]) await call("POST", "/todos", { subject })
  for (const title of ["a", "b", "c"]) await call("POST", "/memory/entries", { type: "user", title })
  for (const [path, name] of [
    ["/todos?conversation_id=tenant&limit=2", "todos"],
    ["/memory/entries?limit=2", "entries"],
    ["/memory/entries?q=a+b+c&limit=2", "entries"],
  ] as const) {
    const one = (await call("GET", path)).body
    const two = (await call("GET", `${path}&cursor=${one.next_cursor}`)).body
    const ids = [...one[name], ...two[name]].map(({ id }: { id: number }) => id)
    expect([path, one[name].length, new Set(ids).size, two.next_cursor]).toEqual([path, 2, 3, null])
  }
  expect((await call("GET", "/schedules")).body).toEqual({ schedules: [], next_cursor: null })
  expect((await call("GET", "/runs")).body).toEqual({ runs: [], next_cursor: null })
  expect((await call("GET", "/search?q=Paged")).body.next_cursor).toBeNull()
})

test("refusals have the fields of RFC 9457, and its type on request", async () => {
  const path = `/sessions/ses_${"0".repeat(26)}`
  const problem = {
    error: expect.stringContaining("There is no session"),
    type: "about:blank",
    title: "Not Found",
    status: 404,
    detail: expect.stringContaining("There is no session"),
    instance: `/v1${path}`,
    code: "session_not_found",
  }
  expect(await call("GET", path)).toEqual({ status: 404, type: "application/json; charset=utf-8", body: problem })
  const accept = { accept: "text/html;q=0.5, application/problem+json" }
  expect(await call("GET", path, undefined, accept)).toEqual({
    status: 404,
    type: "application/problem+json",
    body: problem,
  })
  const never = { accept: "application/problem+json;q=0" }
  expect((await call("GET", path, undefined, never)).type).toBe("application/json; charset=utf-8")
  // Elsewhere plain text.
  expect(await call("GET", "/nothing")).toMatchObject({ status: 404, body: "not found" })
  expect(await call("GET", "/nothing", undefined, accept)).toMatchObject({
    type: "application/problem+json",
    body: { error: "not found", status: 404, instance: "/v1/nothing" },
  })
})

test("wrong bodies are refused in the words of the route", async () => {
  const wrong = await call("POST", "/sessions", { projectID, title: "x" })
  expect(wrong).toMatchObject({
    status: 400,
    body: { error: expect.stringContaining('"project_id"'), code: "unknown_key" },
  })
  const session = await newSession("Wrong")
  const model = { provider_id: "", model_id: "x" }
  expect((await call("POST", `/sessions/${session.id}/prompts`, { ...text("x"), model })).body.error).toMatch(
    /^model\.provider_id: /,
  )
})
