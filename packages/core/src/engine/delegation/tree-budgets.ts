import type { Session, Task, TaskError, TaskLimits } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { createWork, type Work } from "../loop/work.ts"
import { addTaskUsage, limitReached, noLimits, nothing } from "./limits.ts"
import {
  type BudgetWrite,
  createTreeClock,
  type OnTimeUp,
  type Tree,
  type TreeClockDeps,
  timeError,
} from "./tree-clock.ts"

export interface TreeBudgetsDeps extends TreeClockDeps {
  store: Pick<Store, "session">
  /** Whether other runtimes may work in the same trees: while nothing works here, a tree is as its row says. */
  isShared: boolean
}

/** What whole trees have used against their limits: the tasks' tokens, cost and calls, and the time that the tree worked. */
export interface TreeBudgets {
  /** Something begins to work in the tree. `fresh` starts its clock anew. */
  begin(rootID: string, options: { limits: TaskLimits; fresh: boolean; onTimeUp: OnTimeUp }): Promise<Work>
  /** A task of the tree has used this: to be committed with what the task says of it, so that a crash loses neither. */
  record(rootID: string, used: Task["usage"]): BudgetWrite
  /** Tool calls that tasks of the tree may still make. */
  callsLeft(rootID: string): number
  /** Why a task, or the root (`time` only), may not go on. */
  reached(rootID: string, what: "all" | "time"): TaskError | null
  /** Whether the tree of this root has no time left for another turn, also one that nothing worked in since a restart. */
  isOutOfTime(root: Session): boolean
  /** Starts the tree's clock anew. */
  restart(rootID: string): void
  /** Stops all clocks and stores where they stand. */
  close(): void
}

export function createTreeBudgets(deps: TreeBudgetsDeps): TreeBudgets {
  const trees = new Map<string, Tree>()
  const clock = createTreeClock(deps)
  const load = async (rootID: string): Promise<Tree> => {
    const known = trees.get(rootID)
    if (known !== undefined && (known.active > 0 || known.storing !== null || !deps.isShared)) return known
    const stored = (await deps.store.session.get(rootID))?.tree ?? null
    const { usage, worked } = stored ?? { usage: nothing, worked: 0 }
    if (known !== undefined) return Object.assign(known, { stored, usage, worked })
    const rest = { active: 0, tick: null, storing: null, stored, timeUp: false, onTimeUp: () => {} }
    const tree = trees.get(rootID) ?? { rootID, usage, worked, since: null, limits: noLimits, ...rest }
    trees.set(rootID, tree)
    return tree
  }
  return {
    async begin(rootID, { limits, fresh, onTimeUp }) {
      const tree = await load(rootID)
      tree.onTimeUp = onTimeUp
      tree.limits = limits
      if (fresh) clock.restart(tree)
      tree.timeUp &&= clock.isUp(tree)
      const work = createWork({ start: () => clock.start(tree), stop: () => clock.stop(tree) })
      clock.changed(tree)
      return work
    },
    record(rootID, used) {
      const tree = trees.get(rootID)
      if (tree === undefined) return { mutations: [], failed: () => {} }
      tree.usage = addTaskUsage(tree.usage, used)
      return clock.written(tree)
    },
    callsLeft(rootID) {
      const tree = trees.get(rootID)
      return Math.max(0, (tree?.limits.toolCalls ?? Number.POSITIVE_INFINITY) - (tree?.usage.toolCalls ?? 0))
    },
    reached(rootID, what) {
      const tree = trees.get(rootID)
      if (tree === undefined) return null
      if (clock.isUp(tree)) return timeError(tree)
      return what === "time" ? null : limitReached(tree.usage, tree.limits, "The tree's tasks together reached their")
    },
    isOutOfTime({ id, tree: stored }) {
      const tree = trees.get(id)
      if (tree !== undefined) return clock.isUp(tree)
      const limit = stored?.limits.wallClock ?? null
      return stored != null && limit !== null && stored.worked >= limit
    },
    restart(rootID) {
      const tree = trees.get(rootID)
      if (tree !== undefined) clock.restart(tree)
    },
    close() {
      for (const tree of trees.values()) clock.close(tree)
    },
  }
}
