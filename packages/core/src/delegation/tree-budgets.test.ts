import { afterEach, beforeEach, expect, test, vi } from "vitest"
import type { Session, TaskError } from "../schema/index.ts"
import type { SessionPatch } from "../store/index.ts"
import { noLimits } from "./limits.ts"
import { createTreeBudgets } from "./tree-budgets.ts"
import type { OnTimeUp } from "./tree-clock.ts"

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const limits = { ...noLimits, wallClock: 10_000 }
const used = (toolCalls: number) => ({
  tokens: { input: 10, output: 5, reasoning: 0, cache: { read: 0, write: 0 } },
  cost: 0.5,
  toolCalls,
})

/** Budgets over one stored tree. */
function setUp(tree: Session["tree"] = undefined) {
  const row = { tree }
  const ended: TaskError[] = []
  const budgets = createTreeBudgets({
    // Only the tree of the root is read and written.
    store: { session: { get: async () => row } } as never,
    journal: {
      commit: async (_root: string, [mutation]: [{ patch: SessionPatch }]) => {
        row.tree = mutation.patch.tree
      },
    } as never,
    clock: Date.now,
    isShared: false,
  })
  const onTimeUp: OnTimeUp = (_rootID, error) => ended.push(error)
  return { budgets, row, ended, onTimeUp }
}

test("time counts while anything works, once for many at a time, and stands still while all wait", async () => {
  const { budgets, row, ended, onTimeUp } = setUp()
  const root = await budgets.begin("ses_root", { limits, fresh: true, onTimeUp })
  const child = await budgets.begin("ses_root", { limits, fresh: false, onTimeUp })
  await vi.advanceTimersByTimeAsync(3_000)
  const answer = Promise.withResolvers<void>()
  const asked = child.rest(() => answer.promise)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(row.tree?.since).not.toBeNull()
  const waited = root.rest(() => answer.promise)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(row.tree).toMatchObject({ worked: 6_000, since: null, limits })
  answer.resolve()
  await Promise.all([asked, waited])
  await vi.advanceTimersByTimeAsync(3_900)
  expect(ended).toEqual([])
  expect(budgets.reached("ses_root", "time")).toBeNull()
  await vi.advanceTimersByTimeAsync(100)
  expect(ended).toEqual([
    { type: "limit_reached", message: "The session and its tasks together reached their time limit of 10 s." },
  ])
  expect(budgets.reached("ses_root", "time")).toEqual(ended[0])
  child.end()
  root.end()
  root.end()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ended).toHaveLength(1)
  expect(row.tree).toMatchObject({ worked: 10_000, since: null })
})

test("a restart goes on where the clock stood; a prompt of a person starts it anew", async () => {
  const { budgets, ended, onTimeUp } = setUp({ limits, usage: used(3), worked: 9_000, since: null })
  const work = await budgets.begin("ses_root", { limits, fresh: false, onTimeUp })
  await vi.advanceTimersByTimeAsync(999)
  expect(ended).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(ended).toHaveLength(1)
  work.end()
  const next = await budgets.begin("ses_root", { limits, fresh: true, onTimeUp })
  expect(budgets.reached("ses_root", "all")).toBeNull()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(ended).toHaveLength(2)
  next.end()
})

test("what tasks used before a restart counts against the limits of the tree", async () => {
  const some = { ...noLimits, toolCalls: 5, cost: 2 }
  const { budgets, row, onTimeUp } = setUp({ limits: some, usage: used(3), worked: 0, since: null })
  const work = await budgets.begin("ses_root", { limits: some, fresh: true, onTimeUp })
  expect(budgets.callsLeft("ses_root")).toBe(2)
  budgets.record("ses_root", used(2))
  expect(budgets.callsLeft("ses_root")).toBe(0)
  expect(budgets.reached("ses_root", "all")?.message).toContain("limit of 5 tool calls")
  // The root's own work is none of the tasks'.
  expect(budgets.reached("ses_root", "time")).toBeNull()
  work.end()
  budgets.close()
  expect(row.tree).toMatchObject({ usage: { toolCalls: 5, cost: 1 }, since: null })
})

test("a tree without limits stores nothing; a limit that config no longer sets is forgotten", async () => {
  const { budgets, row, onTimeUp } = setUp()
  const work = await budgets.begin("ses_root", { limits: noLimits, fresh: true, onTimeUp })
  await vi.advanceTimersByTimeAsync(100_000)
  expect(row.tree).toBeUndefined()
  work.end()
  const old = setUp({ limits, usage: used(0), worked: 1, since: null })
  const again = await old.budgets.begin("ses_root", { limits: noLimits, fresh: true, onTimeUp: old.onTimeUp })
  again.end()
  await vi.advanceTimersByTimeAsync(100)
  expect(old.row.tree).toBeNull()
})
