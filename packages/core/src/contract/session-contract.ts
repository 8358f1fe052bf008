import { expect, it } from "vitest"
import { DocketError } from "../ground/error/docket-error.ts"
import type { AssistantMessage, Session, Turn } from "../ground/schema/index.ts"
import type { Mutation } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import {
  assistantMessage,
  childOf,
  newId,
  permissionRequest,
  putSessions,
  root,
  task,
  turn,
  userMessage,
} from "./rows.ts"

const time = (created: number, updated = created, archived: number | null = null) => ({ created, updated, archived })
const tokens = { input: 1, output: 2, reasoning: 3, cache: { read: 4, write: 5 } }

export function sessionContract(open: OpenStore): void {
  it("sums turns and answers by day, project, agent and model", async () => {
    const store = await open()
    const day = 86_400_000
    const first = root({ time: time(0, 3 * day), agent: "build" })
    const ofBen = { visibility: "author", by: { person: "ben", workspace: "w" } } as const
    const other = root({ time: time(0, 3 * day) })
    const hidden = root({ time: time(0, 3 * day), ...ofBen })
    const child = childOf(first, { time: time(0, 3 * day) })
    for (const session of [first, other, hidden]) await putSessions(store, session)
    await store.write.commit([{ rootID: first.id, mutations: [{ kind: "session", value: child }] }])
    const put = async (
      session: Session,
      at: number,
      fields: Partial<AssistantMessage> = {},
      more: Partial<Turn> = {},
    ) => {
      const { agent = "build", model } = fields
      const prompt = userMessage(session, { time: { created: at }, agent, ...(model && { model }) })
      const answer = assistantMessage(session, {
        cost: 0.1,
        tokens,
        time: { created: at + 10, completed: at + 90 },
        ...fields,
      })
      const ended = { created: at, started: at + 5, ended: at + 105 }
      const work = turn(session, { messageID: prompt.id, status: "completed", time: ended, ...more })
      const rows = [prompt, answer].map((value): Mutation => ({ kind: "message", value }))
      await store.write.commit([{ rootID: session.rootID, mutations: [...rows, { kind: "turn", value: work }] }])
    }
    await put(first, day)
    await put(first, day + 1_000, {}, { status: "failed" })
    await put(child, 2 * day, { agent: "explore", model: { providerID: "p", modelID: "a/b" } })
    await put(first, 2 * day, {}, { input: { parts: [{ type: "text", text: "By the way" }], noReply: true } })
    await put(other, day)
    await put(hidden, day)
    await put(first, 9 * day)
    // A turn that waits, and one that was withdrawn, are no work.
    await store.write.commit([{ rootID: first.id, mutations: [{ kind: "turn", value: turn(first) }] }])
    const query = { from: day, to: 3 * day, ahead: 0, seenBy: "ann" }
    const rows = (await store.session.usage(query)).filter(({ projectID }) => projectID === first.projectID)
    const sums = Map.groupBy(rows, (row) => `${row.day} ${row.agent} ${row.model}`)
    const of = (key: string) =>
      (sums.get(key) ?? []).reduce(
        (sum, row) => ({
          turns: sum.turns + row.turns,
          failed: sum.failed + row.failed,
          duration: sum.duration + row.duration,
          answers: sum.answers + row.answers,
          read: sum.read + row.tokens.cache.read,
          cost: Math.round((sum.cost + row.cost) * 1_000) / 1_000,
        }),
        { turns: 0, failed: 0, duration: 0, answers: 0, read: 0, cost: 0 },
      )
    expect([...sums.keys()].sort()).toEqual(["1 build test/model", "2 build test/model", "2 explore p/a/b"].sort())
    expect(of("1 build test/model")).toEqual({ turns: 2, failed: 1, duration: 200, answers: 2, read: 8, cost: 0.2 })
    expect(of("2 build test/model")).toEqual({ turns: 0, failed: 0, duration: 0, answers: 1, read: 4, cost: 0.1 })
    expect(of("2 explore p/a/b")).toEqual({ turns: 1, failed: 0, duration: 100, answers: 1, read: 4, cost: 0.1 })
    const ofOthers = await store.session.usage({ ...query, projectID: other.projectID, ahead: 12 * 3_600_000 })
    expect(new Set(ofOthers.map((row) => [row.day, row.projectID].join()))).toEqual(new Set([`1,${other.projectID}`]))
    expect(await store.session.usage({ ...query, projectID: hidden.projectID })).toEqual([])
  })

  it("gives a session by id, or null", async () => {
    const store = await open()
    const session = root({ model: { providerID: "p", modelID: "m" }, permission: [], status: { type: "busy" } })
    await putSessions(store, session)
    expect(await store.session.get(session.id)).toEqual(session)
    expect(await store.session.get(newId("session"))).toBeNull()
  })

  it("adds notes and removes read ones despite concurrent session writes", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const sessionID = session.id
    const commit = (...mutations: Mutation[]) => store.write.commit([{ rootID: sessionID, mutations }])
    const note = (id: string) => ({ kind: "session.note", sessionID, value: { id, text: `Note ${id}` } }) as const
    await Promise.all([
      commit(note("a"), note("b")),
      commit({ kind: "session.patch", sessionID, patch: { title: "Mine" } }, note("c")),
    ])
    const read = await commit({ kind: "session.notes.read", sessionID, ids: ["a", "c", "gone"] })
    const left = { ...session, title: "Mine", notes: [{ id: "b", text: "Note b" }] }
    expect(read).toEqual([{ rootID: sessionID, seq: 6, kind: "session", value: left, created: false }])
    expect(await store.session.get(sessionID)).toEqual(left)
    await expect(commit({ ...note("d"), sessionID: newId("session") })).rejects.toThrow(DocketError)
  })

  it("accumulates usage and read positions despite concurrent session writes", async () => {
    const store = await open()
    const session = await putSessions(store, root({ cost: 0.1, tokens }))
    const sessionID = session.id
    const commit = (...mutations: Mutation[]) => store.write.commit([{ rootID: sessionID, mutations }])
    const used = { kind: "session.used", sessionID, used: { tokens, cost: 0.2 } } as const
    const read = (person: string, at: number) => ({ kind: "session.read", sessionID, person, at }) as const
    await Promise.all([
      commit(used, read("ann", 7)),
      commit({ kind: "session.patch", sessionID, patch: { ended: { at: 9, how: "failed" } } }, read("bob", 9), used),
    ])
    await commit(read("ann", 9), read("bob", 7))
    const sums = { cost: 0.5, tokens: { input: 3, output: 6, reasoning: 9, cache: { read: 12, write: 15 } } }
    const left = { ...session, ...sums, ended: { at: 9, how: "failed" }, read: { ann: 9, bob: 9 } }
    expect(await store.session.get(sessionID)).toEqual(left)
    await expect(commit({ ...used, sessionID: newId("session") })).rejects.toThrow(DocketError)
  })

  it("lists a tree root first by creation, and a session's children", async () => {
    const store = await open()
    const session = root({ time: time(5_000) })
    const second = childOf(session, { time: time(7_000) })
    const first = childOf(session, { time: time(6_000) })
    const twin = childOf(session, { time: time(7_000) })
    const grandchild = childOf(first, { time: time(6_500) })
    await putSessions(store, session, second, first, twin, grandchild)
    const ids = (list: { id: string }[]) => list.map(({ id }) => id)
    expect(ids(await store.session.tree(session.id))).toEqual(ids([session, first, grandchild, second, twin]))
    expect(ids(await store.session.children(session.id))).toEqual(ids([first, second, twin]))
    expect(await store.session.children(grandchild.id)).toEqual([])
  })

  it("finds a child by the call that made it", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session, { origin: { messageID: newId("message"), callID: "call_1" } })
    await putSessions(store, session, child, childOf(child, { origin: { messageID: newId("message"), callID: "x" } }))
    expect(await store.session.childByOrigin(session.id, "call_1")).toEqual(child)
    expect(await store.session.childByOrigin(session.id, "x")).toBeNull()
  })

  it("lists roots only, most recently updated first, page by page", async () => {
    const store = await open()
    const roots = [3, 1, 4, 1, 5, 9, 2, 6, 5].map((updated) => root({ time: time(1_000, updated) }))
    for (const value of roots) await putSessions(store, value, childOf(value, { time: time(1_000, 99) }))
    const expected = roots
      .toSorted((a, b) => b.time.updated - a.time.updated || (a.id < b.id ? -1 : 1))
      .map(({ id }) => id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await store.session.listRoots({ archived: false, limit: 4, cursor })
      seen.push(...page.items.map(({ session }) => session.id))
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    expect(seen).toEqual(expected)
    const exact = await store.session.listRoots({ archived: false, limit: roots.length })
    expect(exact.cursor).toBeNull()
  })

  it("filters roots by project, archive and title, case-insensitive and literal", async () => {
    const store = await open()
    const projectID = newId("project")
    const a = root({ title: "Fix the LOGIN 100%", projectID })
    const b = root({ title: "Über_plan" })
    const old = root({ title: "Login again", time: time(1_000, 1_000, 2_000) })
    for (const value of [a, b, old]) await putSessions(store, value)
    const find = async (query: { projectID?: string; search?: string; archived?: boolean }) => {
      const { items } = await store.session.listRoots({ archived: false, limit: 10, ...query })
      return items.map(({ session }) => session.title).sort()
    }
    expect(await find({})).toEqual([a.title, b.title])
    expect(await find({ projectID })).toEqual([a.title])
    expect(await find({ search: "login" })).toEqual([a.title])
    expect(await find({ search: "login", archived: true })).toEqual([old.title])
    expect(await find({ search: "100%" })).toEqual([a.title])
    expect(await find({ search: "%" })).toEqual([a.title])
    expect(await find({ search: "R_P" })).toEqual([b.title])
    expect(await find({ search: "über" })).toEqual([])
    expect(await find({ search: "" })).toEqual([a.title, b.title])
  })

  it("counts running and waiting work, cost and tokens of a whole tree", async () => {
    const store = await open()
    const session = root({ cost: 0.5, tokens })
    const busy = childOf(session, { status: { type: "busy" }, cost: 0.25, tokens })
    const retrying = childOf(busy, { status: { type: "retry", attempt: 1, message: "later", next: 9_000 } })
    await putSessions(store, session, busy, retrying)
    await store.write.commit([
      {
        rootID: session.id,
        mutations: [
          { kind: "permission", value: permissionRequest(retrying) },
          { kind: "permission", value: permissionRequest(busy, { status: "once" }) },
          { kind: "task", value: task(busy, 1, { state: "awaiting_review" }) },
          { kind: "task", value: task(busy, 2, { state: "completed" }) },
        ],
      },
    ])
    const quiet = await putSessions(store, root({ time: time(1, 1) }))
    const { items } = await store.session.listRoots({ archived: false, limit: 10 })
    expect(items).toEqual([
      { session, running: 2, needsYou: 2, reviews: 1, treeCost: 0.75, treeTokens: 30, children: 2 },
      { session: quiet, running: 0, needsYou: 0, reviews: 0, treeCost: 0, treeTokens: 0, children: 0 },
    ])
    expect(await store.session.listed([session.id, busy.id, newId("session")])).toEqual(items.slice(0, 1))
  })
}
