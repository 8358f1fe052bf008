import { expect, it } from "vitest"
import { AlreadyMadeError, StaleTurnError, UnknownTreeError } from "../ground/error/docket-error.ts"
import type { Mutation } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import { childOf, newId, putSessions, root, textPart, todo, turn, userMessage } from "./rows.ts"

const part = (value: ReturnType<typeof textPart>): Mutation => ({ kind: "part", value })

export function commitContract(open: OpenStore): void {
  it("stores a fresh batch once and nothing of a second one", async () => {
    const store = await open()
    const session = root()
    const create = (title: string) =>
      store.write.commit([
        { rootID: session.id, fresh: session.id, mutations: [{ kind: "session", value: { ...session, title } }] },
      ])
    await create("First")
    await expect(create("Second")).rejects.toThrow(AlreadyMadeError)
    expect((await store.session.get(session.id))?.title).toBe("First")
    const value = turn(session)
    const enqueue = () =>
      store.write.commit([
        {
          rootID: session.id,
          fresh: value.id,
          mutations: [
            { kind: "turn", value },
            { kind: "session.patch", sessionID: session.id, patch: { title: "Prompted" } },
          ],
        },
      ])
    const outcomes = await Promise.allSettled([enqueue(), enqueue(), enqueue()])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"])
    const head = await store.feed.head(session.id)
    await expect(enqueue()).rejects.toThrow(AlreadyMadeError)
    expect(await store.feed.head(session.id)).toBe(head)
  })

  it("stores an onlyNew batch only if none of its rows exists", async () => {
    const store = await open()
    const taken = root()
    const message = userMessage(taken)
    const known = textPart(message)
    await putSessions(store, taken)
    await store.write.commit([{ rootID: taken.id, mutations: [{ kind: "message", value: message }, part(known)] }])
    const session = root()
    const own = userMessage(session)
    const stolen = { ...textPart(own, "mine now"), id: known.id }
    const bring = (value: ReturnType<typeof textPart>) =>
      store.write.commit([
        {
          rootID: session.id,
          onlyNew: true,
          mutations: [{ kind: "session", value: session }, { kind: "message", value: own }, part(value)],
        },
      ])
    await expect(bring(stolen)).rejects.toThrow(AlreadyMadeError)
    expect([await store.session.get(session.id), await store.transcript.part(known.id)]).toEqual([null, known])
    await bring(textPart(own))
    await expect(bring(textPart(own))).rejects.toThrow(AlreadyMadeError)
  })

  it("numbers the changes of each tree gaplessly in the given order", async () => {
    const store = await open()
    const [a, b] = [root(), root()]
    const message = userMessage(a)
    const changes = await store.write.commit([
      {
        rootID: a.id,
        mutations: [
          { kind: "session", value: a },
          { kind: "message", value: message },
        ],
      },
      { rootID: b.id, mutations: [{ kind: "session", value: b }] },
      { rootID: a.id, mutations: [part(textPart(message)), { kind: "todos", sessionID: a.id, value: [] }] },
    ])
    expect(changes.map(({ rootID, seq, kind }) => [rootID, seq, kind])).toEqual([
      [a.id, 1, "session"],
      [a.id, 2, "message"],
      [b.id, 1, "session"],
      [a.id, 3, "part"],
      [a.id, 4, "todos"],
    ])
    expect([await store.feed.head(a.id), await store.feed.head(b.id)]).toEqual([4, 1])
  })

  it("says whether a session is new, and whether a part is quiet", async () => {
    const store = await open()
    const session = root()
    const message = userMessage(session)
    const value = textPart(message)
    const changes = await store.write.commit([
      {
        rootID: session.id,
        mutations: [
          { kind: "session", value: session },
          { kind: "session", value: { ...session, title: "Second" } },
          { kind: "message", value: message },
          { kind: "part", value, quiet: true },
          { kind: "part", value },
        ],
      },
    ])
    expect(changes.map((change) => (change.kind === "session" ? change.created : null))).toEqual([
      true,
      false,
      null,
      null,
      null,
    ])
    expect(changes.map((change) => (change.kind === "part" ? change.quiet : null))).toEqual([
      null,
      null,
      null,
      true,
      false,
    ])
  })

  it("a session patch returns the whole row and keeps unnamed fields", async () => {
    const store = await open()
    const session = await putSessions(store, root({ title: "Before", cost: 2 }))
    const [change] = await store.write.commit([
      { rootID: session.id, mutations: [{ kind: "session.patch", sessionID: session.id, patch: { title: "After" } }] },
    ])
    const value = { ...session, title: "After" }
    expect(change).toEqual({ rootID: session.id, seq: 2, kind: "session", value, created: false })
    expect(await store.session.get(session.id)).toEqual(value)
  })

  it("applies several patches of one session in order", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const patch = (fields: { title?: string; cost?: number }): Mutation => ({
      kind: "session.patch",
      sessionID: session.id,
      patch: fields,
    })
    const mutations = [patch({ title: "One" }), patch({ cost: 3 }), patch({ title: "Two" })]
    const changes = await store.write.commit([{ rootID: session.id, mutations }])
    const seen = changes.map((change) => change.kind === "session" && [change.value.title, change.value.cost])
    expect(seen).toEqual([
      ["One", 0],
      ["One", 3],
      ["Two", 3],
    ])
    expect(await store.session.get(session.id)).toEqual({ ...session, title: "Two", cost: 3 })
  })

  it("a todo replacement returns the ordered list and deletes missing items", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const [first, second, third] = [todo(session, 0), todo(session, 1), todo(session, 2)]
    const replace = (value: (typeof first)[]) =>
      store.write.commit([{ rootID: session.id, mutations: [{ kind: "todos", sessionID: session.id, value }] }])
    await replace([first, second])
    const moved = { ...second, position: 0 }
    const [change] = await replace([third, moved])
    expect(change).toEqual({ rootID: session.id, seq: 3, kind: "todos", sessionID: session.id, value: [moved, third] })
    expect(await store.todo.list(session.id)).toEqual([moved, third])
  })

  it("keeps the last of several writes to one row", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const message = userMessage(session)
    const value = textPart(message, "one")
    const mutations: Mutation[] = [{ kind: "message", value: message }, part(value), part({ ...value, text: "two" })]
    const changes = await store.write.commit([{ rootID: session.id, mutations }])
    expect(changes.map(({ seq }) => seq)).toEqual([2, 3, 4])
    expect(await store.transcript.part(value.id)).toEqual({ ...value, text: "two" })
  })

  it("keeps text that a database column would refuse", async () => {
    const store = await open()
    const text = "nul \0, half a pair \ud800, quotes \"'\\, 日本語 🦊"
    const session = await putSessions(store, root({ title: text }))
    const message = userMessage(session)
    const value = textPart(message, text)
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "message", value: message }, part(value)] }])
    expect(await store.transcript.part(value.id)).toEqual(value)
    expect((await store.session.get(session.id))?.title).toBe(text)
  })

  it("refuses a tree that does not exist", async () => {
    const store = await open()
    const ghost = root()
    const mutations: Mutation[] = [{ kind: "message", value: userMessage(ghost) }]
    await expect(store.write.commit([{ rootID: ghost.id, mutations }])).rejects.toThrow(UnknownTreeError)
    expect(await store.feed.head(ghost.id)).toBeNull()
  })

  it("accepts only the current epoch of a fence", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const value = turn(session)
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "turn", value }] }])
    await store.write.claimTurn(value.id, 2_000)
    const mutations: Mutation[] = [{ kind: "session.patch", sessionID: session.id, patch: { title: "Mine" } }]
    const commit = (epoch: number, turnID = value.id) =>
      store.write.commit([{ rootID: session.id, fence: { turnID, epoch }, mutations }])
    await expect(commit(0)).rejects.toThrow(StaleTurnError)
    await expect(commit(1, newId("turn"))).rejects.toThrow(StaleTurnError)
    expect(await store.feed.head(session.id)).toBe(3)
    await commit(1)
    expect((await store.session.get(session.id))?.title).toBe("Mine")
  })

  it("applies nothing of any batch when one fails", async () => {
    const store = await open()
    const [a, b, c] = [root(), root(), root()]
    await putSessions(store, a)
    await putSessions(store, b)
    const before = await store.feed.changesSince(a.id, 0, 10)
    const message = userMessage(a)
    const good = {
      rootID: a.id,
      mutations: [
        { kind: "session.patch", sessionID: a.id, patch: { title: "Lost" } },
        { kind: "message", value: message },
        part(textPart(message)),
        { kind: "todos", sessionID: a.id, value: [todo(a, 0)] },
        { kind: "session", value: childOf(a) },
        { kind: "session.remove", sessionID: a.id },
      ] satisfies Mutation[],
    }
    const create = { rootID: c.id, mutations: [{ kind: "session", value: c }] satisfies Mutation[] }
    const bad: Mutation[][] = [
      [part(textPart(userMessage(b)))],
      [{ kind: "message", value: userMessage(root()) }],
      [{ kind: "session.patch", sessionID: newId("session"), patch: { title: "x" } }],
      [{ kind: "todos", sessionID: newId("session"), value: [] }],
    ]
    for (const mutations of bad) {
      await expect(store.write.commit([good, create, { rootID: b.id, mutations }])).rejects.toThrow()
    }
    expect(await store.feed.changesSince(a.id, 0, 10)).toEqual(before)
    expect([await store.feed.head(a.id), await store.feed.head(b.id), await store.feed.head(c.id)]).toEqual([
      1,
      1,
      null,
    ])
    expect(await store.session.tree(a.id)).toEqual([a])
    expect(await store.todo.list(a.id)).toEqual([])
    expect((await store.transcript.page({ sessionID: a.id, limit: 10 })).items).toEqual([])
  })

  it("stays gapless when many writers commit to several trees at once", async () => {
    const store = await open()
    const trees = [root(), root(), root()]
    for (const tree of trees) await putSessions(store, tree)
    const write = (index: number) => {
      // The writers lock the trees in different orders; that must not cause a deadlock.
      const order = index % 2 === 0 ? trees : trees.toReversed()
      return store.write.commit(
        order.map((tree) => ({
          rootID: tree.id,
          mutations: [
            { kind: "message", value: userMessage(tree) },
            { kind: "session.patch", sessionID: tree.id, patch: { cost: index } },
          ],
        })),
      )
    }
    const changes = (await Promise.all(Array.from({ length: 30 }, (_, index) => write(index)))).flat()
    for (const tree of trees) {
      const seqs = changes.filter(({ rootID }) => rootID === tree.id).map(({ seq }) => seq)
      expect(seqs.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 2))
      expect(await store.feed.head(tree.id)).toBe(61)
    }
  })

  it("does not let a caller change what is stored", async () => {
    const store = await open()
    const session = root({ title: "Stored" })
    await putSessions(store, session)
    session.title = "changed by the writer"
    const read = await store.session.get(session.id)
    try {
      if (read) read.title = "changed by a reader"
    } catch {
      // Frozen values are allowed as well as copies.
    }
    expect((await store.session.get(session.id))?.title).toBe("Stored")
  })

  it("gives out each todo number once", async () => {
    const store = await open()
    const firsts = await Promise.all([3, 1, 2, 4].map((count) => store.write.reserveTodoNumbers(count)))
    const taken = firsts.flatMap((first, index) =>
      Array.from({ length: [3, 1, 2, 4][index] ?? 0 }, (_, i) => first + i),
    )
    expect(taken.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })
}
