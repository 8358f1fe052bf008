import type { Journal } from "../../ground/event/journal.ts"
import type { Session, Task, TaskError, Turn } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { Hooks } from "../loop/hooks.ts"
import type { Work } from "../loop/work.ts"
import { addTaskUsage, configuredTreeLimits, limitReached } from "./limits.ts"
import type { LiveTasks } from "./live-tasks.ts"
import type { TreeBudgets } from "./tree-budgets.ts"
import type { OnTimeUp } from "./tree-clock.ts"

/** Counts what tasks use against their ceilings; what a child uses counts for every task above it. */
export interface TaskUsage {
  /** A turn begins: its time counts for its tree until the work ends. A prompt of a person starts the clock anew. */
  beginWork(turn: Turn, session: Session, options: { config: Config; onTimeUp: OnTimeUp }): Promise<Work>
  recordStep(session: Session, used: Task["usage"]): void
  allow: Hooks["stepLimit"]
  /** Starts the clock of the tree anew: a person wants it to go on. */
  restartClock(rootID: string): void
}

export interface TaskUsageDeps {
  store: Pick<Store, "session">
  journal: Journal
  live: LiveTasks
  budgets: TreeBudgets
  onError(error: unknown): void
}

export function createTaskUsage(deps: TaskUsageDeps): TaskUsage {
  const { live, budgets } = deps
  return {
    async beginWork(turn, session, { config, onTimeUp }) {
      const agent = session.parentID === null ? session.agent : (await deps.store.session.get(session.rootID))?.agent
      const limits = configuredTreeLimits(config, agent ?? session.agent)
      const fresh = isAsked(turn) && live.byChild(session.id) === undefined
      return budgets.begin(session.rootID, { limits, fresh, onTimeUp })
    },
    recordStep(session, used) {
      // One that is just being stored has no number yet, and works only then.
      const entries = live.chain(session.id).filter(({ task }) => task.number > 0)
      if (entries.length === 0) return
      for (const entry of entries) entry.task = { ...entry.task, usage: addTaskUsage(entry.task.usage, used) }
      const budget = budgets.record(session.rootID, used)
      const mutations = entries.map((entry): Mutation => ({ kind: "task", value: entry.task }))
      deps.journal.commit(session.rootID, [...mutations, ...budget.mutations]).catch((error) => {
        budget.failed(error)
        deps.onError(error)
      })
    },
    allow(session) {
      const above = live.chain(session.id).map((entry) => entry.task)
      return { limit: limitOf(budgets, session, above), calls: callsLeft(budgets, session, above) }
    },
    restartClock: budgets.restart,
  }
}

/** Of a session that works for these tasks, nearest first. */
function limitOf(budgets: TreeBudgets, { rootID }: Session, above: Task[]): TaskError | null {
  for (const task of above) {
    const reached = limitReached(task.usage, task.limits, `Task #${task.number} reached its`)
    if (reached !== null) return reached
  }
  return budgets.reached(rootID, above.length > 0 ? "all" : "time")
}

function callsLeft(budgets: TreeBudgets, { rootID }: Session, above: Task[]): number {
  if (above.length === 0) return Number.POSITIVE_INFINITY
  const left = above.map((task) => (task.limits.toolCalls ?? Number.POSITIVE_INFINITY) - task.usage.toolCalls)
  return Math.max(0, Math.min(...left, budgets.callsLeft(rootID)))
}

/** Whether a person (or a schedule of theirs) asked for the turn; one that goes on after a crash was asked for before. */
function isAsked({ messageID, input }: Turn): boolean {
  return messageID === null && input.parts.some((part) => part.type !== "text" || part.synthetic !== true)
}
