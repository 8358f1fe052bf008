import { isDeepStrictEqual } from "node:util"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import { isRefusal } from "../../ground/event/endings.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { TaskError, TreeBudget } from "../../ground/schema/index.ts"
import type { Mutation } from "../../ground/store/index.ts"
import { timeLimitText } from "./limits.ts"

/** Changes within this time (ms) are stored together: a call that need not ask rests for a moment only. */
const storeMs = 50
/** The running time is stored this often (ms): the most of it that a crash forgets. */
const tickMs = 2_000

export interface TreeClockDeps {
  journal: Journal
  clock: () => number
  timers?: Timers
}

/** The budget of a tree with what its row cannot hold. */
export interface Tree extends TreeBudget {
  rootID: string
  /** How many work now. */
  active: number
  /** Calls off what waits for its time. */
  tick: (() => void) | null
  storing: (() => void) | null
  /** What the row says. */
  stored: TreeBudget | null
  timeUp: boolean
  /** Ends what works there. */
  onTimeUp: OnTimeUp
}

/** The tree has used up its time. */
export type OnTimeUp = (rootID: string, error: TaskError) => void

/** Counts the time in which anything of a tree works, and stores what changed of its budget. */
export function createTreeClock(deps: TreeClockDeps) {
  const { timers = nodeTimers } = deps
  const settle = (tree: Tree) => settleTime(tree, deps.clock())
  const { store, changed, written } = createBudgetWriter(deps)
  const isUp = (tree: Tree) => {
    settle(tree)
    return tree.limits.wallClock !== null && tree.worked >= tree.limits.wallClock
  }
  const schedule = (tree: Tree) => {
    tree.tick?.()
    tree.tick = null
    const { wallClock } = tree.limits
    if (tree.since === null || wallClock === null) return
    const left = Math.max(0, wallClock - tree.worked - (deps.clock() - tree.since))
    tree.tick = timers.after(Math.min(left, tickMs), () => tick(tree))
  }
  const tick = (tree: Tree) => {
    if (isUp(tree) && !tree.timeUp) {
      tree.timeUp = true
      tree.onTimeUp(tree.rootID, timeError(tree))
    }
    // Later work of an expired tree ends by itself: `reached` says so.
    if (!tree.timeUp) schedule(tree)
    tree.stored = null
    store(tree)
  }
  return {
    isUp,
    changed,
    written,
    start(tree: Tree) {
      tree.active += 1
      if (tree.active === 1) tree.since = deps.clock()
      schedule(tree)
      changed(tree)
    },
    stop(tree: Tree) {
      tree.active -= 1
      if (tree.active > 0) return
      settle(tree)
      tree.since = null
      schedule(tree)
      changed(tree)
    },
    restart(tree: Tree) {
      tree.worked = 0
      tree.timeUp = false
      if (tree.since !== null) tree.since = deps.clock()
      schedule(tree)
      changed(tree)
    },
    close(tree: Tree) {
      tree.tick?.()
      tree.storing?.()
      settle(tree)
      tree.since = null
      store(tree)
    },
  }
}

export interface BudgetWrite {
  mutations: Mutation[]
  /** They were not committed. */
  failed(error: unknown): void
}

/** Adds the time since `since` to the time worked. */
function settleTime(tree: Tree, now: number): void {
  if (tree.since === null) return
  tree.worked += Math.max(0, now - tree.since)
  tree.since = now
}

function createBudgetWriter(deps: TreeClockDeps) {
  const { timers = nodeTimers } = deps
  const storeAfter = (tree: Tree, ms: number) => {
    tree.storing ??= timers.after(ms, () => store(tree))
  }
  const changes = (tree: Tree): Mutation[] => {
    settleTime(tree, deps.clock())
    const { usage, worked, since, limits } = tree
    const value = Object.values(limits).some((limit) => limit !== null) ? { usage, worked, since, limits } : null
    if (sameBudget(value, tree.stored)) return []
    tree.stored = value
    return [{ kind: "session.patch", sessionID: tree.rootID, patch: { tree: value } }]
  }
  const failed = (tree: Tree, error: unknown) => {
    // The session was removed while it worked.
    if (isRefusal(error)) return
    tree.stored = null
    storeAfter(tree, tickMs)
  }
  const store = (tree: Tree) => {
    tree.storing = null
    const mutations = changes(tree)
    if (mutations.length > 0) deps.journal.commit(tree.rootID, mutations).catch((error) => failed(tree, error))
  }
  return {
    store,
    changed: (tree: Tree) => storeAfter(tree, storeMs),
    /** What stores the budget as it is, for whoever commits it with what changed it. */
    written: (tree: Tree): BudgetWrite => ({ mutations: changes(tree), failed: (error) => failed(tree, error) }),
  }
}

export function timeError({ limits }: Tree): TaskError {
  return {
    type: "limit_reached",
    message: `The session and its tasks together reached their time limit of ${timeLimitText(limits)}.`,
  }
}

/** Whether readers, who add the time since `since` by themselves, see the same. */
function sameBudget(one: TreeBudget | null, other: TreeBudget | null): boolean {
  if (one === null || other === null) return one === other
  const begun = (budget: TreeBudget) => (budget.since === null ? null : budget.since - budget.worked)
  const [here, there] = [begun(one), begun(other)]
  const time = here === null || there === null ? here === there && one.worked === other.worked : near(here, there)
  return time && one.usage === other.usage && isDeepStrictEqual(one.limits, other.limits)
}

const near = (one: number, other: number) => Math.abs(one - other) < storeMs
