import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { appRouter } from "@docket/api"
import {
  type Caller,
  Memory,
  MessageWithParts,
  PermissionRequest,
  Schedule,
  ScheduleRun,
  Session,
  Task,
  Todo,
  Turn,
} from "@docket/core/schema"
import type { TenantDatabase } from "@docket/core/store"
import { openPostgresDatabase, openSqliteDatabase } from "@docket/db"
import { startPostgres } from "@docket/db/start-postgres"
import { afterAll, describe, expect, it } from "vitest"
import { z } from "zod"
import { sessionID, shareSecret } from "./test/fake-runtime.ts"
import { type ServiceProcess, startServiceProcess } from "./test/service-process.ts"
import { isIdle, newSession } from "./test/service-sessions.ts"
import { startTestService } from "./test/start-test-service.ts"

const local: Caller = { person: "local", workspace: "local" }

describe("every call", async () => {
  const service = await startTestService()
  afterAll(() => service.remove())
  const headers = { authorization: `Bearer ${service.token}`, "content-type": "application/json" }
  /** The callers that one call passed to the runtime. */
  const callersOf = async (method: string, address: string) => {
    service.runtime.callers.length = 0
    await service.call(address, { method, headers, ...(method === "POST" && { body: "{}" }) })
    return [...service.runtime.callers]
  }
  const procedures = Object.entries(appRouter._def.procedures).map(([name, procedure]) => {
    // The flat record is typed like the nested routers, but it contains procedures.
    const { type } = (procedure as unknown as { _def: { type: string } })._def
    return [name, type === "mutation" ? "POST" : "GET"] as const
  })

  it.each(procedures)("of %s names its caller to the runtime", async (name, method) => {
    const input = method === "GET" ? "?input={}" : ""
    expect(await callersOf(method, `/api/trpc/${name}${input}`)).toEqual([local])
  })

  it.each([`/session/${sessionID}/todo`, "/v1/todos", "/v1/memory/entries", "/v1/schedules", "/v1/runs"])(
    "of %s names its caller to the runtime",
    async (address) => expect(await callersOf("GET", address)).toEqual([local]),
  )

  it("with a tenant's token is attributed to the token, not a namesake", async () => {
    const { token, info } = await service.tenants.createToken({ tenantID: "acme", name: "ada" })
    const body = JSON.stringify({ subject: "by ada" })
    await service.call("/v1/todos", { method: "POST", headers: { authorization: `Bearer ${token}` }, body })
    const [change] = await service.database.store("acme").todo.history({ limit: 1 })
    expect(change).toMatchObject({
      actor: { kind: "api", name: "ada" },
      by: { person: `token:${info.id}`, workspace: "acme" },
    })
  })

  it("by a share link reveals no person's identity", async () => {
    const answer = await service.call(`/api/share/${shareSecret}`)
    expect(answer.status).toBe(200)
    expect(answer.body).not.toContain('"by"')
  })
})

const postgres = await startPostgres()
if (typeof postgres === "string") console.warn(`PostgreSQL tests are skipped: ${postgres}`)
afterAll(async () => {
  if (typeof postgres !== "string") await postgres.stop()
})

const databases = [
  {
    name: "SQLite",
    env: {},
    open: (data: string) => openSqliteDatabase({ file: path.join(data, "docket.db"), clock: Date.now }),
  },
  ...(typeof postgres === "string"
    ? []
    : [{ name: "PostgreSQL", env: { DATABASE_URL: postgres.url }, open: () => openPostgresDatabase(postgres) }]),
]

const Pending = z.array(PermissionRequest)
const Messages = z.object({ items: z.array(MessageWithParts) })
const Tasks = z.array(Task.pick({ id: true, state: true, mode: true }))

/** Prompts, allows what the agent asks for until its child asks. Returns the replied requests and the running tasks. */
async function delegate(service: ServiceProcess, session: string) {
  const parts = [{ type: "text", text: "Where is `retryQueue`?" }]
  const turn = Turn.parse(await service.mutate("session.promptAsync", { sessionID: session, parts }))
  const replies: string[] = []
  const childAsks = async () => {
    const pending = Pending.parse(await service.query("permission.list", { rootID: session }))
    for (const { id } of pending.filter((request) => request.sessionID === session)) {
      await service.mutate("permission.reply", { requestID: id, reply: "once" })
      replies.push(id)
    }
    return pending.some((request) => request.sessionID !== session)
  }
  await expect.poll(childAsks).toBe(true)
  const tasks = Tasks.parse(await service.query("task.list", { sessionID: session }))
  return { turn, replies, tasks: tasks.filter(({ state }) => state === "running") }
}

/** Does everything that stores who caused a row, and returns the ids. */
async function leaveRows(service: ServiceProcess, project: string) {
  const session = await newSession(service, project)
  const { projectID } = Session.parse(await service.query("session.get", { sessionID: session }))
  const { turn, replies, tasks } = await delegate(service, session)
  const taskID = tasks[0]?.id ?? ""
  await service.mutate("task.message", { taskID, text: "Look into src." })
  const spokenTo = Task.parse(await service.query("task.get", { taskID }))
  const { mode, by: released } = Task.parse(await service.mutate("task.background", { taskID }))
  const cancelled = Task.parse(await service.mutate("task.cancel", { taskID }))
  await service.mutate("session.abort", { sessionID: session })
  const retried = Task.parse(await service.mutate("task.retry", { taskID }))
  await service.mutate("session.abort", { sessionID: session })
  const todo = Todo.parse(await service.mutate("todo.create", { sessionID: session, content: "Mine" }))
  const fact = { type: "user", title: "Mine", content: "" }
  const memory = Memory.parse(await service.mutate("memory.create", fact))
  const plan = { projectID, when: "in 500 weeks", message: "Say hello" }
  const schedule = Schedule.parse(await service.mutate("schedule.create", plan))
  const run = ScheduleRun.parse(await service.mutate("schedule.runNow", { schedule: schedule.id }))
  await service.mutate("share.create", { rootID: session })
  const { hash } = z
    .object({ trust: z.object({ hash: z.string() }) })
    .parse(await service.query("config.get", { projectID })).trust
  await service.mutate("config.trust", { projectID, hash })
  const { items } = Messages.parse(await service.query("session.messages", { sessionID: session }))
  // A stopped session is idle before the end of its turn is stored.
  await expect.poll(() => isIdle(service, session)).toBe(true)
  await service.mutate("session.revert", { sessionID: session, messageID: items[0]?.info.id })
  const ids = {
    todo: todo.id,
    memory: memory.id,
    schedule: schedule.id,
    run,
    cancelled: cancelled.id,
    retried: retried.id,
  }
  return { session, turn, replies, acts: { spokenTo: spokenTo.by, mode, released }, ...ids }
}

describe.each(databases)("on $name", ({ env, open }) => {
  it("every row that a person causes stores their identity", async () => {
    const home = await realpath(await mkdtemp(path.join(tmpdir(), "docket-caller-")))
    const [project, data] = [path.join(home, "project"), path.join(home, "data")]
    await mkdir(path.join(home, ".config/docket"), { recursive: true })
    await mkdir(path.join(project, "src"), { recursive: true })
    await writeFile(path.join(home, ".config/docket/docket.json"), JSON.stringify({ permission: { "*": "ask" } }))
    await writeFile(path.join(project, "docket.json"), JSON.stringify({ permission: { read: "allow" } }))
    await writeFile(path.join(project, "src/queue.ts"), "export function retryQueue() {}\n")
    const service = await startServiceProcess({ home, data, project, env })
    let database: TenantDatabase | null = null
    try {
      const left = await leaveRows(service, project)
      await service.kill()
      expect(left.acts).toEqual({ spokenTo: local, mode: "background", released: local })
      database = await open(data)
      const store = database.store("local")
      const [message] = (await store.transcript.page({ sessionID: left.session, limit: 1_000 })).items
      const session = await store.session.get(left.session)
      const rows = {
        session,
        undo: session?.revert,
        turn: await store.turn.get(left.turn.id),
        message: message?.info,
        permission: await store.permission.get(left.replies[0] ?? ""),
        todo: (await store.todo.history({ todoID: left.todo, limit: 1 }))[0],
        cancelled: await store.task.get(left.cancelled),
        retried: await store.task.get(left.retried),
        memory: await store.memory.get(left.memory),
        schedule: await store.schedule.get(left.schedule),
        run: (await store.schedule.runs({ id: left.run.id, limit: 1 }))[0],
        runSession: await store.session.get(left.run.sessionID ?? ""),
        runTurn: await store.turn.get(left.run.turnID ?? ""),
        share: (await store.share.list(left.session))[0],
        trust: (await store.trust.list())[0],
      }
      const named = Object.fromEntries(Object.entries(rows).map(([kind, row]) => [kind, row && "by" in row && row.by]))
      expect(named).toEqual(Object.fromEntries(Object.keys(rows).map((kind) => [kind, local])))
    } finally {
      await service.kill()
      await database?.close()
      await rm(home, { recursive: true, force: true })
    }
  })
})
