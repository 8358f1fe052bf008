import { expect, it } from "vitest"
import type { Turn } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import { childOf, newId, permissionRequest, putSessions, root, turn } from "./rows.ts"

async function putTurns(store: Store, ...turns: Turn[]): Promise<void> {
  for (const value of turns) {
    await store.write.commit([{ rootID: value.rootID, mutations: [{ kind: "turn", value }] }])
  }
}

export function turnContract(open: OpenStore): void {
  it("claims a queued turn: running, one more attempt, a new epoch", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const value = turn(session)
    await putTurns(store, value)
    const change = await store.write.claimTurn(value.id, 5_000)
    const claimed: Turn = { ...value, status: "running", attempt: 1, epoch: 1, time: { ...value.time, started: 5_000 } }
    expect(change).toEqual({ rootID: session.id, seq: 3, kind: "turn", value: claimed })
    expect(await store.turn.get(value.id)).toEqual(claimed)
    expect(await store.feed.head(session.id)).toBe(3)
  })

  it("claims an interrupted turn again, as if it had not ended", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const value = turn(session, {
      status: "interrupted",
      attempt: 1,
      epoch: 1,
      error: { name: "InterruptedError", message: "the process ended", statusCode: null, retryable: false },
      time: { created: 1_000, started: 2_000, ended: 3_000 },
    })
    await putTurns(store, value)
    const change = await store.write.claimTurn(value.id, 4_000)
    expect(change?.kind === "turn" && change.value).toEqual({
      ...value,
      status: "running",
      attempt: 2,
      epoch: 2,
      error: null,
      time: { created: 1_000, started: 4_000, ended: null },
    })
  })

  it("does not claim running, ended or unknown turns; the sequence stays", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const turns = (["running", "completed", "failed", "aborted"] as const).map((status) => turn(session, { status }))
    await putTurns(store, ...turns)
    for (const { id } of turns) expect(await store.write.claimTurn(id, 1)).toBeNull()
    expect(await store.write.claimTurn(newId("turn"), 1)).toBeNull()
    expect(await store.feed.head(session.id)).toBe(5)
  })

  it("records the claiming owner and respects live owners and earlier turns", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [first, second] = [turn(session), turn(session)].sort((a, b) => (a.id < b.id ? -1 : 1))
    if (!first || !second) throw new Error("two turns")
    await putTurns(store, first, second)
    const owner = { runner: "one", since: 1, until: 1_000 }
    expect(await store.write.claimTurn(second.id, 10, owner)).toBeNull()
    expect(await store.write.claimTurn(first.id, 10, owner)).toMatchObject({ value: { owner } })
    expect(await store.write.claimTurn(second.id, 999, { ...owner, runner: "two" })).toBeNull()
    expect(await store.write.claimTurn(second.id, 1_000, { ...owner, runner: "two" })).toMatchObject({
      value: { status: "running", owner: { runner: "two" } },
    })
    expect(await store.feed.head(session.id)).toBe(5)
  })

  it("closes a permission request once, whoever answers it", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const value = permissionRequest(session)
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "permission", value }] }])
    const answers = (["once", "always", "rejected"] as const).map((status) =>
      store.write.closePermission(value.id, { status, message: null, replied: 5 }),
    )
    const closed = (await Promise.all(answers)).filter((change) => change !== null)
    expect(closed).toHaveLength(1)
    const row = await store.permission.get(value.id)
    expect(closed[0]).toEqual({ rootID: session.id, seq: 3, kind: "permission", value: row })
    expect(row).toEqual({ ...value, status: row?.status, time: { ...value.time, replied: 5 } })
    expect(
      await store.write.closePermission(newId("permission"), { status: "once", message: null, replied: 5 }),
    ).toBeNull()
    expect(await store.feed.head(session.id)).toBe(3)
  })

  it("lets only one of many claims succeed", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const value = turn(session)
    await putTurns(store, value)
    const claims = await Promise.all(Array.from({ length: 8 }, (_, i) => store.write.claimTurn(value.id, i)))
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1)
    expect(await store.feed.head(session.id)).toBe(3)
  })

  it("lists every turn of a tree, oldest first", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    await putSessions(store, session, child)
    const late = turn(session, { status: "completed", time: { created: 3_000, started: 3_000, ended: 4_000 } })
    const early = turn(child, { status: "failed", time: { created: 2_000, started: 2_000, ended: 3_000 } })
    await putTurns(store, late, early, turn(await putSessions(store, root())))
    expect(await store.turn.tree(session.id)).toEqual([early, late])
  })

  it("claims a session's turns in creation order, whatever their ids", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [small = "", large = ""] = [turn(session).id, turn(session).id].sort()
    const made = (id: string, created: number) => turn(session, { id, time: { created, started: null, ended: null } })
    await putTurns(store, made(large, 1_000), made(small, 2_000))
    expect(await store.write.claimTurn(small, 3_000)).toBeNull()
    expect(await store.write.claimTurn(large, 3_000)).toMatchObject({ kind: "turn", value: { status: "running" } })
  })

  it("lists queued and running turns by session, tree or all, oldest first", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    const other = root()
    await putSessions(store, session, child)
    await putSessions(store, other)
    const later = turn(session, { time: { created: 3_000, started: null, ended: null } })
    const first = turn(child, { status: "running", time: { created: 1_000, started: 1_000, ended: null } })
    const second = turn(session, { time: { created: 2_000, started: null, ended: null } })
    const elsewhere = turn(other, { time: { created: 4_000, started: null, ended: null } })
    await putTurns(store, later, first, second, elsewhere, turn(session, { status: "completed" }))
    const ids = async (scope?: { sessionID?: string; rootID?: string }) =>
      (await store.turn.open(scope)).map(({ id }) => id)
    expect(await ids()).toEqual([first.id, second.id, later.id, elsewhere.id])
    expect(await ids({ rootID: session.id })).toEqual([first.id, second.id, later.id])
    expect(await ids({ sessionID: session.id })).toEqual([second.id, later.id])
  })
}
