import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Caller } from "@docket/core/schema"
import { openSqliteDatabase } from "@docket/db"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type OpenedRuntime, openRuntime } from "./open-runtime.ts"
import { type Service, startService } from "./start-service.ts"
import type { Request } from "./test/api-routes.ts"
import { callsWithID, type IdCall, listCalls } from "./test/calls-with-id.ts"
import { type Id, type IdKind, idKinds, missingID } from "./test/id-kinds.ts"
import { inhabitTenant } from "./test/inhabit-tenant.ts"
import { anonymous, besideIn } from "./test/known-ids.ts"
import { readAnswer } from "./test/read-answer.ts"
import { readRows } from "./test/read-rows.ts"

const secret = "quetzalcoatl"
const ada: Caller = { person: "ada", workspace: "local" }

let directory: string
let file: string
let service: Service
let opened: OpenedRuntime
let token: string
const logged: string[] = []

/** A service for several users: Ada has a row of every kind in private sessions, and the caller has their own rows. */
beforeAll(async () => {
  directory = await realpath(await mkdtemp(path.join(tmpdir(), "docket-visibility-")))
  const data = path.join(directory, "data")
  await mkdir(data)
  file = path.join(data, "docket.db")
  const database = await openSqliteDatabase({ file, clock: Date.now })
  const place = { database, directory }
  await inhabitTenant(place, { tenantID: "local", secret: "public", from: 0 })
  await inhabitTenant(place, { tenantID: "local", secret, from: 0, person: "ada", visibility: "author" })
  await database.close()
  service = await startService(
    { projects: [], port: 0, host: "127.0.0.1", data, web: false, trust: false },
    {
      async openRuntime(options) {
        opened = await openRuntime({ ...options, isTeam: true })
        return opened
      },
      report: () => undefined,
      log: (text, error) => logged.push(`${text}: ${String(error)}`),
    },
  )
  token = (await readFile(service.tokenFile, "utf8")).trim()
})
afterAll(async () => {
  await service.stop()
  await rm(directory, { recursive: true, force: true })
})

async function send({ method, path: address, body }: Request) {
  const answer = await fetch(service.url + address, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(method !== "GET" && { body: JSON.stringify(body ?? {}) }),
  })
  return readAnswer(answer)
}

/** Kinds that belong to no tree of sessions: all members of a workspace can see them. */
const ofNoTree = new Set<IdKind>(["project", "webhook"])

/** The column by which rows of a table refer to their tree: its root, or a session in it. */
const treeColumn: Partial<Record<(typeof idKinds)[IdKind]["table"], string>> = {
  Memory: "sessionID",
  Todo: "sessionID",
  Schedule: `json_extract(data, '$.sessionID')`,
  ScheduleRun: "sessionID",
  StandingGrant: `json_extract(data, '$.origin.rootID')`,
}

/** Ids of rows in sessions that only Ada can see. */
function hiddenIDs(kind: IdKind): Id[] {
  const { table, column } = idKinds[kind]
  if (table === "Project" || table === "Webhook") return []
  const database = new DatabaseSync(file, { readOnly: true })
  const tree = treeColumn[table] ?? "rootID"
  const roots = `SELECT id FROM "Session" WHERE "tenantID" = 'local' AND "onlyFor" = 'ada'`
  const rows = database
    .prepare(
      `SELECT "${column}" AS id FROM "${table}" WHERE "tenantID" = 'local' AND ${tree} IN
       (SELECT id FROM "Session" WHERE "rootID" IN (${roots}))`,
    )
    .all()
  database.close()
  return rows.map(({ id }) => (typeof id === "number" ? id : String(id)))
}

const hiddenBeside = () => besideIn(readRows(file, "local"), (kind, id) => hiddenIDs(kind).includes(id))

async function calls(): Promise<IdCall[]> {
  const { body } = await send({ method: "GET", path: "/v1/openapi.json" })
  return callsWithID(JSON.parse(body), hiddenBeside()).filter(({ kind }) => !ofNoTree.has(kind))
}

it("the private sessions hold an item of every kind", () => {
  for (const kind of Object.keys(idKinds) as IdKind[])
    if (!ofNoTree.has(kind)) expect(hiddenIDs(kind), kind).not.toEqual([])
})

it("a private session looks nonexistent to others on every route", async () => {
  const before = readRows(file, "local").text
  const differing: string[] = []
  for (const { kind, name, request } of await calls()) {
    const [hidden, missing] = [hiddenIDs(kind)[0] ?? "", missingID(kind)]
    const [found, none] = [await send(request(hidden)), await send(request(missing))]
    const [a, b] = [anonymous(found, hidden), anonymous(none, missing)]
    if (JSON.stringify(a) !== JSON.stringify(b)) differing.push(`${name}: ${JSON.stringify([a, b])}`)
    if (readRows(file, "local").text !== before) throw new Error(`${name} changed something`)
  }
  expect(differing).toEqual([])
  expect(logged).toEqual([])
})

it("no list tells of a private session", async () => {
  const { body } = await send({ method: "GET", path: "/v1/openapi.json" })
  const [project = ""] = readRows(file, "local").column("Project", "id")
  const ids = (Object.keys(idKinds) as IdKind[]).flatMap(hiddenIDs).filter((id) => typeof id === "string")
  const told: Record<"own" | "hidden", string[]> = { own: [], hidden: [] }
  for (const { name, request } of listCalls(JSON.parse(body), hiddenBeside())) {
    const answer = await send(request(project))
    if (answer.body.includes("public")) told.own.push(name)
    if (ids.some((id) => answer.body.includes(id))) told.hidden.push(name)
  }
  expect(told.hidden).toEqual([])
  expect(told.own).toEqual(expect.arrayContaining(["session.list projectID", "GET /opencode/session"]))
})

it("a private session appears in lists and searches only for its author", async () => {
  const readLists = (useCases: ReturnType<OpenedRuntime["runtime"]["as"]>) =>
    Promise.all([
      useCases.session.list({ limit: 1 }),
      useCases.session.list({ search: secret }),
      useCases.search.find({ text: `${secret}*`, limit: 3 }),
      useCases.todo.find({ scope: { kind: "all" } }).then((all) => all.filter(({ sessionID }) => sessionID !== null)),
      useCases.todo.history({}).then((all) => all.filter(({ sessionID }) => sessionID !== null)),
      useCases.todo.proposed(),
      useCases.memory.search({ q: secret }).then((all) => all.filter(({ sessionID }) => sessionID !== null)),
      useCases.schedule.list({}),
      useCases.schedule.runs({}),
      useCases.permission.list({}),
      useCases.permission.grants(),
      useCases.review.awaiting(),
      useCases.review.inbox({}),
      useCases.share.list({}),
      useCases.webhook.deliveries({}).then(({ items }) => items),
    ])
  const textsFor = async (caller: Caller) =>
    (await readLists(opened.runtime.as(caller))).map((list) => JSON.stringify(list))
  const others = await textsFor({ person: "local", workspace: "local" })
  expect(others.filter((text) => text.includes(secret))).toEqual([])
  // A page is full even if hidden items are left out.
  expect(JSON.parse(others[0] ?? "").items).toHaveLength(1)
  const own = await textsFor(ada)
  expect(own.filter((text) => text.includes(secret)).length).toBeGreaterThan(8)
})

it("others receive no events of a private session until it is shared", async () => {
  const [mine, others] = [opened.runtime.as(ada), opened.runtime.as({ person: "local", workspace: "local" })]
  const { items } = await mine.session.list({ search: secret })
  const sessionID = items[0]?.session.id ?? ""
  const stop = new AbortController()
  const heard: string[] = []
  const feed = others.feed({ others: true }, stop.signal)
  const listening = (async () => {
    for await (const item of feed) {
      heard.push(`${item.type} ${item.rootID}`)
      if (item.type === "memory.updated") return
    }
  })()
  const by = { actor: { kind: "user", name: "user" } } as const
  await mine.todo.create({ sessionID, content: "in secret" }, by)
  await mine.memory.create({ type: "user", title: "in secret", content: "", sessionID })
  await mine.memory.create({ type: "user", title: "for all", content: "" })
  await listening
  stop.abort()
  expect(heard).toEqual(["memory.updated null"])
  await expect(
    others.feed({ rootID: sessionID, others: false }, new AbortController().signal)[Symbol.asyncIterator]().next(),
  ).rejects.toMatchObject({ code: "session_not_found" })

  await expect(others.session.setVisibility({ sessionID, visibility: "workspace" })).rejects.toMatchObject({
    code: "session_not_found",
  })
  await mine.session.setVisibility({ sessionID, visibility: "workspace" })
  expect((await others.session.get({ sessionID })).title).toBe(secret)
  await expect(others.session.setVisibility({ sessionID, visibility: "author" })).rejects.toMatchObject({
    code: "invalid_input",
  })
  const following = others.feed({ rootID: sessionID, others: false, since: 0 }, new AbortController().signal)
  const ended = (async () => {
    for await (const item of following) if (item.type === "session.updated") break
    return true
  })()
  await mine.session.setVisibility({ sessionID, visibility: "author" })
  expect(await ended).toBe(true)
  await expect(others.session.get({ sessionID })).rejects.toMatchObject({ code: "session_not_found" })
})

it("new sessions are private where the workspace says so", async () => {
  const [mine, others] = [opened.runtime.as(ada), opened.runtime.as({ person: "local", workspace: "local" })]
  const [project] = await mine.project.list()
  await others.workspace.update({ visibility: "author" })
  const hidden = await mine.session.create({ projectID: project?.id ?? "" })
  const shown = await mine.session.create({ projectID: project?.id ?? "", visibility: "workspace" })
  await expect(others.session.get({ sessionID: hidden.id })).rejects.toMatchObject({ code: "session_not_found" })
  expect((await others.session.get({ sessionID: shown.id })).id).toBe(shown.id)
  expect((await mine.session.get({ sessionID: hidden.id })).visibility).toBe("author")
})
