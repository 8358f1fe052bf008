import { createHash, randomBytes } from "node:crypto"
import { afterEach, describe, expect, it } from "vitest"
import { nodeTimers } from "../ground/concurrency/timers.ts"
import { UnknownTreeError } from "../ground/error/docket-error.ts"
import { parseSearch } from "../ground/query/index.ts"
import { createRowVault } from "../ground/secret/row-vault.ts"
import { createSeal } from "../ground/secret/seal.ts"
import type { Mutation, Store, TenantDatabase } from "../ground/store/port/index.ts"
import { nodeContract } from "./node-contract.ts"
import { recordContract } from "./record-contract.ts"
import {
  apiToken,
  auditEntry,
  childOf,
  comment,
  configTrust,
  draft,
  memory,
  newId,
  permissionRequest,
  putRun,
  putSessions,
  root,
  schedule,
  scheduleRun,
  share,
  standingGrant,
  task,
  tenantTodo,
  textPart,
  thread,
  todo,
  todoChange,
  turn,
  userMessage,
  verdict,
  viewed,
  webhook,
  webhookDelivery,
} from "./rows.ts"
import { secretContract } from "./secret-contract.ts"
import { vaultContract } from "./vault-contract.ts"

/** Opens a database without any data of the two tenants. `dispose` closes it and cleans up. */
export type MakeTenants = () => Promise<{
  database: TenantDatabase
  tenants: [string, string]
  dispose: () => Promise<void>
}>

/** Declares the suite for databases with several tenants. */
export function tenantContract(name: string, makeTenants: MakeTenants): void {
  describe(`tenants: ${name}`, () => {
    const opened: (() => Promise<void>)[] = []
    const openDatabase = async () => {
      const { database, tenants, dispose } = await makeTenants()
      opened.push(dispose)
      return { database, tenants }
    }
    const open = async (): Promise<[Store, Store]> => {
      const { database, tenants } = await openDatabase()
      return [database.store(tenants[0]), database.store(tenants[1])]
    }
    afterEach(async () => {
      for (const dispose of opened.splice(0)) await dispose()
    })

    describe("records", () => recordContract(open))
    describe("nodes", () => nodeContract(async () => (await openDatabase()).database.nodes))
    describe("secrets", () => secretContract(openDatabase))
    describe("vault", () => {
      const seal = createSeal(randomBytes(32))
      vaultContract(async () => {
        const { database, tenants } = await openDatabase()
        const deps = { secrets: database.secrets, seal, timers: nodeTimers, now: () => performance.now() }
        return [createRowVault(deps, tenants[0]), createRowVault(deps, tenants[0])]
      })
    })

    it("never shows one tenant what another stored", async () => {
      const [mine, other] = await open()
      const rows = await fill(mine)
      expect((await everything(other, rows)).flat()).toEqual(noRows)
      expect((await everything(mine, rows)).flat()).not.toContain(null)
    })

    it("finds nothing of another tenant by search", async () => {
      const [mine, other] = await open()
      await fill(mine)
      const found = async (store: Store, text: string) => {
        while (await store.search.index(100));
        const { ask } = parseSearch(text, { now: 0, utcOffset: 0, person: "ann", isTyping: false })
        return ask && (await store.search.find({ ask, limit: 10 })).found.length
      }
      for (const text of ["text", "untitled", "kind:prompt", "-nothing", "after:1970-01-02"])
        expect([text, await found(mine, text), await found(other, text)]).toEqual([text, expect.any(Number), 0])
      expect([await found(mine, "text"), await found(mine, "untitled")]).toEqual([1, 1])
    })

    it("refuses writes to a tree of another tenant", async () => {
      const [mine, other] = await open()
      const { session, work } = await fill(mine)
      const mutations: Mutation[] = [{ kind: "session.patch", sessionID: session.id, patch: { title: "Stolen" } }]
      await expect(other.write.commit([{ rootID: session.id, mutations }])).rejects.toThrow(UnknownTreeError)
      const link = share(session, "b")
      await expect(other.share.put(link)).rejects.toThrow(UnknownTreeError)
      expect(await other.write.claimTurn(work.id, 1)).toBeNull()
      expect(await mine.session.get(session.id)).toEqual(session)
    })

    it("keeps rows with the same id, and todo numbers, separate by tenant", async () => {
      const [mine, other] = await open()
      const session = root({ title: "Mine" })
      await putSessions(mine, session)
      await putSessions(other, { ...session, title: "Other" })
      const remove: Mutation = { kind: "session.remove", sessionID: session.id }
      await other.write.commit([{ rootID: session.id, mutations: [remove] }])
      expect(await mine.session.get(session.id)).toEqual(session)
      expect([await mine.write.reserveTodoNumbers(5), await other.write.reserveTodoNumbers(1)]).toEqual([1, 1])
      expect([await mine.memory.reserveNumber(), await other.memory.reserveNumber()]).toEqual([1, 1])
    })

    it("does not remove what another tenant stored", async () => {
      const [mine, other] = await open()
      const { wide, entry, plan, granted } = await fill(mine)
      await other.todo.removeTenantWide(wide.id, todoChange(wide, null))
      await other.memory.remove(entry.id)
      await other.schedule.remove(plan.id)
      await other.trust.remove("/project")
      expect(await other.audit.prune(10_000)).toBe(0)
      expect(await other.standingGrant.remove(granted.id)).toBe(false)
      for (const { id } of await mine.permission.newestGrants(10))
        expect(await other.permission.removeGrant(id)).toBe(false)
      expect(await mine.todo.get(wide.id)).toEqual(wide)
      expect([await mine.memory.get(entry.id), await mine.schedule.get(plan.id)]).toEqual([entry, plan])
      expect(await mine.trust.list("/project")).toHaveLength(1)
      expect([await mine.permission.newestGrants(10), await mine.standingGrant.newest(10)]).toMatchObject([[{}], [{}]])
    })

    it("finds a tenant by token hash and lists each tenant's tokens", async () => {
      const { database, tenants } = await openDatabase()
      const hash = () => createHash("sha256").update(newId("apiToken")).digest("hex")
      const older = apiToken(tenants[0], hash())
      const newer = apiToken(tenants[0], hash(), { time: { created: 2_000, used: null, revoked: null } })
      const other = apiToken(tenants[1], hash())
      for (const token of [older, newer, other]) await database.tokens.put(token)
      expect(await database.tokens.byHash(other.tokenHash)).toEqual(other)
      expect(await database.tokens.byHash(hash())).toBeNull()
      expect(await database.tokens.list(tenants[0])).toEqual([newer, older])
      expect(await database.tokens.list(tenants[1])).toEqual([other])
      const mine = (await database.tokens.list()).filter((token) => tenants.includes(token.tenantID))
      expect(mine.map(({ id }) => id)).toEqual([newer.id, other.id, older.id])
    })

    it("revokes a token once, and still finds it", async () => {
      const { database, tenants } = await openDatabase()
      const token = apiToken(tenants[0], createHash("sha256").update(newId("apiToken")).digest("hex"))
      await database.tokens.put(token)
      const revoked = { ...token, time: { created: 1_000, used: null, revoked: 5_000 } }
      expect(await database.tokens.revoke(token.id, 5_000)).toEqual(revoked)
      expect(await database.tokens.revoke(token.id, 6_000)).toEqual(revoked)
      expect(await database.tokens.byHash(token.tokenHash)).toEqual(revoked)
      expect(await database.tokens.revoke(newId("apiToken"), 1)).toBeNull()
    })

    it("records a token's last use without undoing its revocation", async () => {
      const { database, tenants } = await openDatabase()
      const token = apiToken(tenants[0], createHash("sha256").update(newId("apiToken")).digest("hex"))
      await database.tokens.put(token)
      for (const now of [3_000, 2_000]) await database.tokens.used(token.id, now)
      expect((await database.tokens.byHash(token.tokenHash))?.time).toEqual({ ...token.time, used: 3_000 })
      await Promise.all([database.tokens.revoke(token.id, 4_000), database.tokens.used(token.id, 5_000)])
      expect((await database.tokens.byHash(token.tokenHash))?.time).toMatchObject({ used: 5_000, revoked: 4_000 })
      // A token that does not exist is ignored.
      await database.tokens.used(newId("apiToken"), 1)
    })

    it("counts what each tenant owns", async () => {
      const { database, tenants } = await openDatabase()
      const [mine, other] = tenants
      const listed = async () => (await database.tenants.list()).filter(({ id }) => tenants.includes(id))
      expect(await listed()).toEqual([])
      const store = database.store(mine)
      const { session } = await fill(store)
      await putSessions(store, session, childOf(session))
      await database.tokens.put(apiToken(other, createHash("sha256").update(newId("apiToken")).digest("hex")))
      const owned = { id: mine, sessions: 2, todos: 2, memories: 1, schedules: 1 }
      const bare = { id: other, sessions: 0, todos: 0, memories: 0, schedules: 0 }
      expect(await listed()).toEqual([owned, bare].sort((a, b) => (a.id < b.id ? -1 : 1)))
    })

    it("removes a tenant with everything it owns, and nothing of another", async () => {
      const { database, tenants } = await openDatabase()
      const [mine, other] = [database.store(tenants[0]), database.store(tenants[1])]
      const [rows, kept] = [await fill(mine), await fill(other)]
      const token = apiToken(tenants[0], createHash("sha256").update(newId("apiToken")).digest("hex"))
      await database.tokens.put(token)
      await mine.write.reserveTodoNumbers(3)
      for (const store of [mine, other]) while (await store.search.index(100));
      const before = await everything(other, kept)
      await database.tenants.remove(tenants[0])
      const after = database.store(tenants[0])
      expect((await everything(after, rows)).flat()).toEqual(noRows)
      expect(await after.feed.head(rows.session.id)).toBeNull()
      expect(await after.search.progress()).toEqual({ indexed: 0, all: 0 })
      expect(await after.todo.history({ todoID: rows.wide.id, limit: 10 })).toEqual([])
      expect([await after.permission.grants(rows.session.id), await after.project.list()]).toEqual([[], []])
      expect([await database.tokens.byHash(token.tokenHash), await database.tokens.list(tenants[0])]).toEqual([
        null,
        [],
      ])
      expect(await after.write.reserveTodoNumbers(1)).toBe(1)
      expect(await everything(other, kept)).toEqual(before)
      // A tenant that does not exist is ignored.
      await database.tenants.remove(newId("apiToken"))
    })

    it("keeps workspace settings until removal and lists workspaces with waiting work", async () => {
      const { database, tenants } = await openDatabase()
      const [mine, other] = tenants
      const listed = async () => (await database.workspaces.list()).filter(({ id }) => tenants.includes(id))
      const withWork = async () => (await database.workspaces.withWork()).filter((id) => tenants.includes(id))
      const time = { created: 1_000, updated: 2_000 }
      const limited = {
        id: mine,
        roots: ["/a", "/b"],
        visibility: "author",
        turns: 3,
        whenRemoved: "stop",
        time,
      } as const
      const bare = {
        id: other,
        roots: null,
        visibility: "workspace",
        turns: null,
        whenRemoved: "finish",
        time,
      } as const
      for (const workspace of [{ ...limited, roots: [] }, bare, { ...limited, roots: [...limited.roots] }])
        await database.workspaces.put(workspace)
      expect(await listed()).toEqual([limited, bare].sort((a, b) => (a.id < b.id ? -1 : 1)))
      expect(await withWork()).toEqual([])
      const session = root()
      await putSessions(database.store(mine), session)
      const waiting: Mutation[] = [{ kind: "turn", value: turn(session) }]
      await database.store(mine).write.commit([{ rootID: session.id, mutations: waiting }])
      expect(await withWork()).toEqual([mine])
      await database.store(other).schedule.put(schedule(1))
      expect(await withWork()).toEqual([...tenants].sort())
      await database.tenants.remove(mine)
      expect([await listed(), await withWork()]).toEqual([[bare], [other]])
      expect((await database.tenants.list()).map(({ id }) => id)).toContain(other)
    })

    it("refuses writes for a removed tenant through an older store", async () => {
      const { database, tenants } = await openDatabase()
      const old = database.store(tenants[0])
      const late = tenantTodo(1)
      const write = () => old.todo.putTenantWide(late, todoChange(null, late)).catch(() => "refused")
      // One write has begun, one runs in parallel, and one comes after the removal.
      const begun = write()
      const removal = database.tenants.remove(tenants[0])
      await Promise.all([begun, write(), removal])
      await write()
      expect(await database.store(tenants[0]).todo.find({ scope: { kind: "all" }, limit: 10 })).toEqual([])
      expect((await database.tenants.list()).map(({ id }) => id)).not.toContain(tenants[0])
      await fill(database.store(tenants[0]))
      expect((await database.tenants.list()).map(({ id }) => id)).toContain(tenants[0])
    })
  })
}

/** What `everything` reads where nothing is stored: its lists are empty, and each of its 16 single rows is null. */
const noRows: null[] = Array(16).fill(null)

/**
 * Stores a row of each kind. Names that differ from the kinds: `work` is the turn, `delegated` the task, `link` the
 * share, `wide` the tenant-wide todo, `entry` the memory and `plan` the schedule; `talk`, `said`, `unsaid` and `judged`
 * are thread, comment, draft and verdict.
 */
async function fill(store: Store) {
  const session = root()
  const message = userMessage(session)
  const part = textPart(message)
  const work = turn(session)
  const request = permissionRequest(session)
  const delegated = task(session, 1)
  const link = share(
    session,
    newId("share")
      .slice(4)
      .replaceAll(/[^0-9a-f]/g, "0"),
  )
  await putSessions(store, session)
  const mutations: Mutation[] = [
    { kind: "message", value: message },
    { kind: "part", value: part },
    { kind: "todos", sessionID: session.id, value: [todo(session, 0)] },
    { kind: "turn", value: work },
    { kind: "permission", value: request },
    { kind: "task", value: delegated },
  ]
  const talk = thread(session)
  const said = comment(talk)
  const judged = verdict(delegated)
  mutations.push({ kind: "thread", value: talk }, { kind: "comment", value: said }, { kind: "verdict", value: judged })
  mutations.push({ kind: "viewed", value: viewed(delegated) })
  await store.write.commit([{ rootID: session.id, mutations }])
  const unsaid = draft(session)
  await store.review.putDraft(unsaid)
  await store.share.put(link)
  const wide = tenantTodo(1)
  await store.todo.putTenantWide(wide, todoChange(null, wide))
  const entry = memory(1)
  await store.memory.put(entry)
  await store.permission.addGrants([
    { id: newId("permission"), rootID: session.id, permission: "bash", pattern: "*", createdAt: 1_000 },
  ])
  const plan = schedule(1)
  await store.schedule.put(plan)
  await putRun(store, scheduleRun(plan))
  await store.trust.put(configTrust("/project", "a"))
  const granted = standingGrant(session)
  await store.standingGrant.put(granted)
  await store.audit.add([auditEntry("prompted")])
  const hook = webhook()
  await store.webhook.put(hook)
  const delivery = webhookDelivery(hook)
  await store.webhook.add(delivery)
  const rows = { session, part, work, request, link, wide, entry, plan }
  return { ...rows, delegated, talk, said, judged, unsaid, granted, hook, delivery }
}

/** Everything about the rows that the tenant can read: first lists (empty for other tenants), then each row. */
async function everything(store: Store, rows: Awaited<ReturnType<typeof fill>>) {
  const {
    session,
    part,
    work,
    request,
    link,
    wide,
    entry,
    plan,
    delegated,
    talk,
    said,
    judged,
    unsaid,
    hook,
    delivery,
  } = rows
  return [
    (await store.session.listRoots({ archived: false, limit: 10 })).items,
    await store.session.tree(session.id),
    await store.turn.open(),
    await store.permission.pending(),
    await store.permission.answered(session.id, 10),
    await store.permission.newestGrants(10),
    await store.standingGrant.of(session.projectID),
    await store.standingGrant.newest(10),
    await store.todo.list(session.id),
    await store.feed.changesSince(session.id, 0, 10),
    (await store.transcript.page({ sessionID: session.id, limit: 10 })).items,
    await store.share.list(session.id),
    await store.trust.list("/project"),
    await store.trust.list(),
    await store.audit.read({ limit: 10 }),
    await store.todo.find({ scope: { kind: "all" }, limit: 10 }),
    await store.todo.history({ limit: 10 }),
    await store.task.tree(session.id),
    await store.task.open(),
    await store.memory.list({ limit: 10 }),
    await store.schedule.list(),
    await store.schedule.due(10_000),
    await store.schedule.runs({ limit: 10 }),
    await store.session.get(session.id),
    await store.transcript.part(part.id),
    await store.turn.get(work.id),
    await store.permission.get(request.id),
    await store.share.byHash(link.secretHash),
    await store.todo.byNumber(wide.number),
    await store.task.get(delegated.id),
    await store.memory.byNumber(entry.number),
    await store.schedule.byNumber(plan.number),
    ...Object.values(await store.review.tree(session.id)),
    await store.review.drafts(unsaid.by.person, session.id),
    (await store.review.unjudged({ person: "nobody", limit: 10 })).items,
    await store.review.thread(talk.id),
    await store.review.comment(said.id),
    await store.review.verdict(judged.id),
    await store.review.draft(unsaid.id),
    await store.webhook.list(),
    (await store.webhook.deliveries({ limit: 10 })).items,
    await store.webhook.due({ webhookID: hook.id, now: 10_000, limit: 10 }),
    await store.webhook.behind(10),
    await store.webhook.get(hook.id),
    await store.webhook.delivery(delivery.id),
    await store.webhook.news(session.id, 10),
  ]
}
