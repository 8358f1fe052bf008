import { expect, test } from "vitest"
import { root, turn } from "../../contract/rows.ts"
import type { Session, TaskError, Turn } from "../../ground/schema/index.ts"
import type { SessionPatch } from "../../ground/store/index.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { createTreeBudgets, noLimits, type OnTimeUp, timeUp } from "./tree-budgets.ts"

const limits = { ...noLimits, wallClock: 10_000 }
const used = (toolCalls: number) => ({
  tokens: { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } },
  cost: 0.5,
  toolCalls,
})

/** Budgets of one stored tree. */
function setUp(tree: Session["tree"] = undefined) {
  const row = { tree }
  const ended: TaskError[] = []
  const time = createManualTime()
  const budgets = createTreeBudgets({
    // Only the tree of the root is read and written.
    store: { session: { get: async () => row } } as never,
    journal: {
      commit: async (_root: string, [mutation]: [{ patch: SessionPatch }]) => {
        row.tree = mutation.patch.tree
      },
    } as never,
    ...time,
    isShared: false,
  })
  const onTimeUp: OnTimeUp = (_rootID, error) => ended.push(error)
  return { budgets, row, ended, onTimeUp, pass: time.pass }
}

test("tree time counts once for parallel work and stops while all wait", async () => {
  const { budgets, row, ended, onTimeUp, pass } = setUp()
  const root = await budgets.begin("ses_root", { limits, fresh: true, onTimeUp })
  const child = await budgets.begin("ses_root", { limits, fresh: false, onTimeUp })
  await pass(3_000)
  const answer = Promise.withResolvers<void>()
  const asked = child.pauseFor(() => answer.promise)
  await pass(3_000)
  expect(row.tree?.since).not.toBeNull()
  const waited = root.pauseFor(() => answer.promise)
  await pass(60_000)
  expect(row.tree).toMatchObject({ worked: 6_000, since: null, limits })
  answer.resolve()
  await Promise.all([asked, waited])
  await pass(3_900)
  expect(ended).toEqual([])
  expect(budgets.reached("ses_root", "time")).toBeNull()
  await pass(100)
  expect(ended).toEqual([
    { type: "limit_reached", message: "The session and its tasks together reached their time limit of 10 s." },
  ])
  expect(budgets.reached("ses_root", "time")).toEqual(ended[0])
  child.end()
  root.end()
  root.end()
  await pass(10_000)
  expect(ended).toHaveLength(1)
  expect(row.tree).toMatchObject({ worked: 10_000, since: null })
})

test("a tree's clock survives a restart; a person's prompt resets it", async () => {
  const { budgets, ended, onTimeUp, pass } = setUp({ limits, usage: used(3), worked: 9_000, since: null })
  const work = await budgets.begin("ses_root", { limits, fresh: false, onTimeUp })
  await pass(999)
  expect(ended).toEqual([])
  await pass(1)
  expect(ended).toHaveLength(1)
  work.end()
  const next = await budgets.begin("ses_root", { limits, fresh: true, onTimeUp })
  expect(budgets.reached("ses_root", "all")).toBeNull()
  await pass(10_000)
  expect(ended).toHaveLength(2)
  next.end()
})

test("usage before a restart counts against the tree's limits", async () => {
  const some = { ...noLimits, toolCalls: 5, cost: 2 }
  const { budgets, row, onTimeUp } = setUp({ limits: some, usage: used(3), worked: 0, since: null })
  const work = await budgets.begin("ses_root", { limits: some, fresh: true, onTimeUp })
  expect(budgets.callsLeft("ses_root")).toBe(2)
  budgets.record("ses_root", used(2))
  expect(budgets.callsLeft("ses_root")).toBe(0)
  expect(budgets.reached("ses_root", "all")?.message).toContain("limit of 5 tool calls")
  // The root's own work does not count as work of tasks.
  expect(budgets.reached("ses_root", "time")).toBeNull()
  work.end()
  budgets.close()
  expect(row.tree).toMatchObject({ usage: { toolCalls: 5, cost: 1 }, since: null })
})

test("usage is stored with its task, and again after a failure", async () => {
  const some = { ...noLimits, toolCalls: 5 }
  const { budgets, row, onTimeUp, pass } = setUp({ limits: some, usage: used(1), worked: 0, since: null })
  const work = await budgets.begin("ses_root", { limits: some, fresh: false, onTimeUp })
  await pass(100)
  const { mutations, failed } = budgets.record("ses_root", used(2))
  expect(mutations).toMatchObject([
    { kind: "session.patch", sessionID: "ses_root", patch: { tree: { usage: { toolCalls: 3 }, limits: some } } },
  ])
  failed(new Error("the disk is full"))
  await pass(2_000)
  expect(row.tree).toMatchObject({ usage: { toolCalls: 3 } })
  expect(budgets.record("ses_other", used(1)).mutations).toEqual([])
  work.end()
})

test("a tree without limits stores nothing and forgets removed limits", async () => {
  const { budgets, row, onTimeUp, pass } = setUp()
  const work = await budgets.begin("ses_root", { limits: noLimits, fresh: true, onTimeUp })
  await pass(100_000)
  expect(row.tree).toBeUndefined()
  work.end()
  const old = setUp({ limits, usage: used(0), worked: 1, since: null })
  const again = await old.budgets.begin("ses_root", { limits: noLimits, fresh: true, onTimeUp: old.onTimeUp })
  again.end()
  await old.pass(100)
  expect(old.row.tree).toBeNull()
})

test("a prompt sent while a timed-out tree ends is not cancelled", async () => {
  const session = root()
  const started = (at: number): Turn => ({
    ...turn(session),
    status: "running",
    time: { created: 1, started: at, ended: null },
  })
  const [before, later] = [started(5), started(20)]
  let now = 10
  const cancelled: Turn[] = []
  await timeUp(
    {
      clock: () => now,
      tasks: {
        async endTree() {
          now = 20
          return 1
        },
      },
      queue: {
        open: async () => ({ alive: [before, later, turn(session)], dead: [] }),
        cancel: async (turns) => void cancelled.push(...turns),
      },
    },
    session.id,
    { type: "limit_reached", message: "The time is up." },
  )
  expect(cancelled).toEqual([before])
})
