import type { Journal } from "../event/journal.ts"
import { addTokens, noTokens } from "../message/token-usage.ts"
import type { Session, Task, TaskError } from "../schema/index.ts"
import type { Mutation } from "../store/index.ts"
import { limitReached, noLimits } from "./limits.ts"
import type { LiveTasks } from "./live-tasks.ts"

/** Counts what tasks use against their ceilings; what a child uses counts for every task above it. */
export interface TaskUsage {
  recordStep(session: Session, used: Task["usage"]): void
  /** Why a session may not go on; null when it may. */
  limitOf(session: Session): TaskError | null
}

export function createTaskUsage(deps: { journal: Journal; live: LiveTasks; onError(error: unknown): void }): TaskUsage {
  const trees = new Map<string, Task["usage"]>()
  return {
    recordStep(session, used) {
      const entries = deps.live.chain(session.id)
      if (entries.length === 0) return
      for (const entry of entries) entry.task = { ...entry.task, usage: addUsage(entry.task.usage, used) }
      trees.set(session.rootID, addUsage(trees.get(session.rootID) ?? nothing, used))
      const mutations = entries.map((entry): Mutation => ({ kind: "task", value: entry.task }))
      deps.journal.commit(session.rootID, mutations).catch(deps.onError)
    },
    limitOf(session) {
      const entries = deps.live.chain(session.id)
      for (const { task } of entries) {
        const reached = limitReached(task.usage, task.limits, `Task #${task.number}`)
        if (reached !== null) return reached
      }
      const total = trees.get(session.rootID)
      const limits = entries.at(-1)?.request.treeLimits ?? noLimits
      return total === undefined ? null : limitReached(total, limits, "The tree's tasks together")
    },
  }
}

export const nothing: Task["usage"] = { tokens: noTokens, cost: 0, toolCalls: 0 }

function addUsage(usage: Task["usage"], used: Task["usage"]): Task["usage"] {
  return {
    tokens: addTokens(usage.tokens, used.tokens),
    cost: usage.cost + used.cost,
    toolCalls: usage.toolCalls + used.toolCalls,
  }
}
