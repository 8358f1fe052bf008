import { expect, it } from "vitest"
import type { OpenStore } from "./make-store.ts"
import { newId, permissionRequest, putSessions, root, task, textPart, todo, turn, userMessage } from "./rows.ts"

export function feedContract(open: OpenStore): void {
  it("knows no head of a tree that does not exist", async () => {
    const store = await open()
    expect(await store.feed.head(newId("session"))).toBeNull()
    expect(await store.feed.changesSince(newId("session"), 0, 10)).toEqual([])
  })

  it("knows the newest numbers of many trees, also of removed ones", async () => {
    const store = await open()
    const [one, two] = [await putSessions(store, root()), await putSessions(store, root())]
    await store.write.commit([{ rootID: one.id, mutations: [{ kind: "message", value: userMessage(one) }] }])
    await store.write.commit([{ rootID: two.id, mutations: [{ kind: "session.remove", sessionID: two.id }] }])
    const heads = await store.feed.heads([one.id, two.id, newId("session")])
    const [last] = (await store.feed.changesSince(two.id, 0, 10)).slice(-1)
    expect([...heads.entries()].toSorted()).toEqual(
      [
        [one.id, 2],
        [two.id, last?.seq],
      ].toSorted(),
    )
    expect(await store.feed.heads([])).toEqual(new Map())
  })

  it("returns each changed row once, in order, with its last number", async () => {
    const store = await open()
    const session = root()
    const message = userMessage(session)
    const part = textPart(message, "one")
    const items = [todo(session, 0)]
    const changes = await store.write.commit([
      {
        rootID: session.id,
        mutations: [
          { kind: "session", value: session },
          { kind: "message", value: message },
          { kind: "part", value: part },
          { kind: "todos", sessionID: session.id, value: items },
          { kind: "permission", value: permissionRequest(session) },
          { kind: "turn", value: turn(session) },
          { kind: "task", value: task(session, 1, { result: "r".repeat(2_000) }) },
          { kind: "part", value: { ...part, text: "two" } },
        ],
      },
    ])
    // Change 8 writes the part of change 3 again.
    expect(await store.feed.changesSince(session.id, 0, 100)).toEqual(changes.filter(({ seq }) => seq !== 3))
    expect(await store.feed.changesSince(session.id, 5, 100)).toEqual(changes.slice(5))
    expect(await store.feed.changesSince(session.id, 8, 100)).toEqual([])
  })

  it("returns at most `limit` changes; a reader continues after the last", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    for (let i = 0; i < 9; i++) {
      await store.write.commit([{ rootID: session.id, mutations: [{ kind: "message", value: userMessage(session) }] }])
    }
    const seen: number[] = []
    for (let seq = 0; ; ) {
      const page = await store.feed.changesSince(session.id, seq, 4)
      if (page.length === 0) break
      expect(page.length).toBeLessThanOrEqual(4)
      seen.push(...page.map((change) => change.seq))
      seq = page.at(-1)?.seq ?? seq
    }
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it("reports a session as created to readers that have not seen it", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const patch = { title: "Later" }
    await store.write.commit([
      { rootID: session.id, mutations: [{ kind: "session.patch", sessionID: session.id, patch }] },
    ])
    const created = async (seq: number) => {
      const [change] = await store.feed.changesSince(session.id, seq, 1)
      return change?.kind === "session" && change.created
    }
    expect([await created(0), await created(1)]).toEqual([true, false])
  })

  it("replays a quiet part as not quiet: returning readers lack its deltas", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const message = userMessage(session)
    const value = textPart(message)
    await store.write.commit([
      {
        rootID: session.id,
        mutations: [
          { kind: "message", value: message },
          { kind: "part", value, quiet: true },
        ],
      },
    ])
    const changes = await store.feed.changesSince(session.id, 2, 10)
    expect(changes).toEqual([{ rootID: session.id, seq: 3, kind: "part", value, quiet: false }])
  })

  it("replays a list that became empty", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const replace = (value: ReturnType<typeof todo>[]) =>
      store.write.commit([{ rootID: session.id, mutations: [{ kind: "todos", sessionID: session.id, value }] }])
    await replace([todo(session, 0)])
    const changes = await replace([])
    expect(await store.feed.changesSince(session.id, 1, 10)).toEqual(changes)
  })
}
