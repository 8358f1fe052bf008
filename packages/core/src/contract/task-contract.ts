import { expect, it } from "vitest"
import { DocketError, StaleTurnError } from "../ground/error/docket-error.ts"
import type { Task } from "../ground/schema/index.ts"
import type { Mutation, Store } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import { childOf, newId, putSessions, root, task, turn } from "./rows.ts"

async function putTasks(store: Store, ...tasks: Task[]): Promise<void> {
  for (const value of tasks) {
    await store.write.commit([{ rootID: value.rootID, mutations: [{ kind: "task", value }] }])
  }
}

const created = (at: number): Pick<Task, "time"> => ({ time: { created: at, started: null, ended: null } })

export function taskContract(open: OpenStore): void {
  it("numbers changes of tasks in the tree's sequence", async () => {
    const store = await open()
    const session = root()
    const child = childOf(session)
    const value = task(child, 1, { output: { files: [1, null, "x"] }, outputSchema: { type: "object" } })
    const mutations: Mutation[] = [
      { kind: "session", value: session },
      { kind: "session", value: child },
      { kind: "task", value },
    ]
    const changes = await store.write.commit([{ rootID: session.id, mutations }])
    expect(changes.at(-1)).toEqual({ rootID: session.id, seq: 3, kind: "task", value })
    const ended: Task = { ...value, state: "completed", result: "done", time: { created: 1, started: 2, ended: 3 } }
    await putTasks(store, ended)
    expect(await store.feed.changesSince(session.id, 2, 9)).toEqual([
      { rootID: session.id, seq: 4, kind: "task", value: ended },
    ])
    expect(await store.task.get(value.id)).toEqual(ended)
    expect(await store.task.get(newId("task"))).toBeNull()
  })

  it("refuses a task of an unknown session or behind a stale fence", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    await expect(putTasks(store, task(childOf(session), 1))).rejects.toThrow(DocketError)
    const work = turn(session)
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "turn", value: work }] }])
    const fence = { turnID: work.id, epoch: 1 }
    const mutations = [{ kind: "task" as const, value: task(session, 1) }]
    await expect(store.write.commit([{ rootID: session.id, fence, mutations }])).rejects.toThrow(StaleTurnError)
    expect(await store.task.tree(session.id)).toEqual([])
  })

  it("finds tasks by number and the newest one of a child", async () => {
    const store = await open()
    const [session, other] = [root(), root()]
    const [child, resumed] = [childOf(session), childOf(session)]
    await putSessions(store, session, child, resumed)
    await putSessions(store, other)
    const [first, second, third] = [task(resumed, 1), task(child, 2), task(resumed, 3)]
    const elsewhere = task(other, 1)
    await putTasks(store, first, third, second, elsewhere)
    expect(await store.task.byNumber(session.id, 2)).toEqual(second)
    expect([await store.task.byNumber(session.id, 4), await store.task.byNumber(newId("session"), 1)]).toEqual([
      null,
      null,
    ])
    expect(await store.task.byNumber(other.id, 1)).toEqual(elsewhere)
    expect([await store.task.byChild(resumed.id), await store.task.byChild(session.id)]).toEqual([third, null])
  })

  it("gives new tasks their tree's next numbers, even when stored concurrently", async () => {
    const store = await open()
    const [session, other] = [root(), root()]
    await putSessions(store, session)
    await putSessions(store, other)
    await putTasks(store, task(session, 4))
    const news = Array.from({ length: 8 }, (_, index) => task(index === 7 ? other : session, 0))
    const stored = await Promise.all(
      news.map((value) => store.write.commit([{ rootID: value.rootID, mutations: [{ kind: "task.new", value }] }])),
    )
    const numbers = stored.flat().map((change) => (change.kind === "task" ? change.value.number : null))
    expect(new Set(numbers.slice(0, 7))).toEqual(new Set([5, 6, 7, 8, 9, 10, 11]))
    expect(numbers[7]).toBe(1)
    expect((await store.task.tree(session.id)).map(({ number }) => number)).toEqual([4, 5, 6, 7, 8, 9, 10, 11])
    const [first, second] = [task(session, 0), task(session, 0)]
    const mutations: Mutation[] = [
      { kind: "task.new", value: first },
      { kind: "task", value: task(session, 20) },
      { kind: "task.new", value: second },
    ]
    await store.write.commit([{ rootID: session.id, mutations }])
    expect(await store.task.get(first.id)).toEqual({ ...first, number: 12 })
    expect(await store.task.get(second.id)).toEqual({ ...second, number: 21 })
  })

  it("only one writer reports a task's end; the others store nothing", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const value = task(session, 1, { mode: "background", state: "completed", delivered: "no" })
    const running = task(session, 2, { mode: "background", state: "running", delivered: "no" })
    await putTasks(store, value, running)
    const tell = (taskID: string) => {
      const mutations: Mutation[] = [
        { kind: "turn", value: turn(session) },
        { kind: "task.told", taskID },
      ]
      return store.write.commit([{ rootID: session.id, mutations }])
    }
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => tell(value.id)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
    expect(refused.map(({ code }) => code)).toEqual(["task_told", "task_told", "task_told"])
    for (const id of [running.id, newId("task")]) await expect(tell(id)).rejects.toMatchObject({ code: "task_told" })
    expect(await store.task.get(value.id)).toEqual({ ...value, delivered: "turn" })
    expect(await store.turn.open({ rootID: session.id })).toHaveLength(1)
    expect(await store.feed.head(session.id)).toBe(5)
  })

  it("summarises a tree's tasks by number, with cut results, without prompts", async () => {
    const store = await open()
    const session = root()
    const [a, b] = [childOf(session), childOf(session)]
    await putSessions(store, session, a, b)
    await putTasks(store, task(b, 2, { result: "x".repeat(600) }), task(a, 1, { result: "short" }))
    const [first, second] = await store.task.tree(session.id)
    expect([first?.number, first?.result, second?.number]).toEqual([1, "short", 2])
    expect(second?.result?.slice(0, 500)).toBe("x".repeat(500))
    expect(second?.result?.length).toBeLessThan(510)
    expect(Object.keys(second ?? {})).not.toContain("prompt")
  })

  it("lists queued and running tasks, oldest first; tasks awaiting review separately", async () => {
    const store = await open()
    const [session, other] = [root(), root()]
    await putSessions(store, session)
    await putSessions(store, other)
    const later = task(session, 1, { state: "queued", ...created(3_000) })
    const first = task(session, 2, created(1_000))
    const elsewhere = task(other, 1, created(2_000))
    const ended = (["completed", "failed", "cancelled", "timed_out", "interrupted"] as const).map((state, index) =>
      task(session, 3 + index, { state }),
    )
    const held = task(session, 9, { state: "awaiting_review" })
    await putTasks(store, later, first, elsewhere, held, ...ended)
    expect(await store.task.held()).toEqual([held])
    expect(await store.task.open()).toEqual([first, elsewhere, later])
    expect(await store.task.open(session.id)).toEqual([first, later])
    await putTasks(store, { ...first, state: "completed" })
    expect(await store.task.open(session.id)).toEqual([later])
  })

  it("lists ended background tasks, oldest first, until they are reported", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const other = await putSessions(store, root())
    const background = { mode: "background", delivered: "no" } as const
    const later = task(session, 1, { ...background, state: "failed", ...created(3_000) })
    const first = task(session, 2, { ...background, state: "completed", ...created(1_000) })
    const others = [
      task(session, 3, { ...background, state: "running" }),
      task(session, 4, { ...background, state: "completed", delivered: "poll" }),
      task(session, 5, { mode: "blocking", state: "completed", delivered: "no" }),
    ]
    const elsewhere = task(other, 1, { ...background, state: "completed", ...created(2_000) })
    await putTasks(store, later, first, elsewhere, ...others)
    expect(await store.task.undelivered()).toEqual([first, elsewhere, later])
    expect(await store.task.undelivered(session.id)).toEqual([first, later])
    await putTasks(store, { ...later, delivered: "turn" })
    expect(await store.task.undelivered(session.id)).toEqual([first])
    expect(await store.task.get(first.id)).toEqual(first)
  })

  it("lists tasks whose worktree is still there", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const worktree = (state: "active" | "ready" | "merged" | "conflict" | "removed"): Pick<Task, "worktree"> => ({
      worktree: { directory: `/w/${state}`, branch: state, base: "abc", state, conflicts: [] },
    })
    const there = (["active", "ready", "conflict"] as const).map((state, index) =>
      task(session, index + 1, worktree(state)),
    )
    const gone = (["merged", "removed"] as const).map((state, index) => task(session, index + 4, worktree(state)))
    await putTasks(store, ...there, ...gone, task(session, 6))
    expect(await store.task.withWorktree()).toEqual({ tasks: there, unread: 0 })
  })
}
