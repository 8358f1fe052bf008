import type { Config } from "../config/schema.ts"
import type { Journal } from "../event/journal.ts"
import type { Work } from "../loop/work.ts"
import type { Session, Task, TaskError, Turn } from "../schema/index.ts"
import type { Mutation, Store } from "../store/index.ts"
import { addUsage, configuredTreeLimits, limitReached } from "./limits.ts"
import type { LiveTasks } from "./live-tasks.ts"
import type { TreeBudgets } from "./tree-budgets.ts"

/** Counts what tasks use against their ceilings; what a child uses counts for every task above it. */
export interface TaskUsage {
  /** A turn begins: its time counts for its tree until the work ends. A prompt of a person starts the clock anew. */
  beginWork(turn: Turn, session: Session, config: Config): Promise<Work>
  recordStep(session: Session, used: Task["usage"]): void
  /** How many more tool calls the session may make; infinite without a limit. */
  callsLeft(session: Session): number
  /** Why a session may not go on; null when it may. */
  limitOf(session: Session): TaskError | null
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
    async beginWork(turn, session, config) {
      const agent = session.parentID === null ? session.agent : (await deps.store.session.get(session.rootID))?.agent
      const limits = configuredTreeLimits(config, agent ?? session.agent)
      return budgets.begin(session.rootID, { limits, fresh: isAsked(turn) && live.byChild(session.id) === undefined })
    },
    recordStep(session, used) {
      const entries = live.chain(session.id)
      if (entries.length === 0) return
      for (const entry of entries) entry.task = { ...entry.task, usage: addUsage(entry.task.usage, used) }
      budgets.record(session.rootID, used)
      const mutations = entries.map((entry): Mutation => ({ kind: "task", value: entry.task }))
      deps.journal.commit(session.rootID, mutations).catch(deps.onError)
    },
    callsLeft(session) {
      const entries = live.chain(session.id)
      if (entries.length === 0) return Number.POSITIVE_INFINITY
      const left = entries.map(({ task }) => (task.limits.toolCalls ?? Number.POSITIVE_INFINITY) - task.usage.toolCalls)
      return Math.max(0, Math.min(...left, budgets.callsLeft(session.rootID)))
    },
    limitOf(session) {
      const entries = live.chain(session.id)
      for (const { task } of entries) {
        const reached = limitReached(task.usage, task.limits, `Task #${task.number} reached its`)
        if (reached !== null) return reached
      }
      return budgets.reached(session.rootID, entries.length > 0 ? "all" : "time")
    },
    restartClock: budgets.restart,
  }
}

/** Whether a person (or a schedule of theirs) asked for the turn; one that goes on after a crash was asked for before. */
function isAsked({ messageID, input }: Turn): boolean {
  return messageID === null && input.parts.some((part) => part.type !== "text" || part.synthetic !== true)
}
