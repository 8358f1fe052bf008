import { formatDuration } from "../../ground/message/format-duration.ts"
import { addUsage, noUsage, totalTokens } from "../../ground/message/token-usage.ts"
import type { Task, TaskError, TaskLimits } from "../../ground/schema/index.ts"
import type { AgentConfig, Config, DelegationConfig } from "../../setup/config/schema.ts"

export const noLimits: TaskLimits = { tokens: null, cost: null, wallClock: null, toolCalls: null }

/** The stricter of each. */
export function strictest(...limits: TaskLimits[]): TaskLimits {
  const least = (pick: (limits: TaskLimits) => number | null) => {
    const set = limits.flatMap((one) => pick(one) ?? [])
    return set.length === 0 ? null : Math.min(...set)
  }
  return {
    tokens: least((one) => one.tokens),
    cost: least((one) => one.cost),
    wallClock: least((one) => one.wallClock),
    toolCalls: least((one) => one.toolCalls),
  }
}

/** The ceilings that config sets for a task of an agent. */
export function configuredLimits(delegation: DelegationConfig | undefined, agent: AgentConfig | undefined): TaskLimits {
  return strictest(toLimits(delegation), toLimits(agent?.limits))
}

/** The ceilings that config sets for a whole tree whose root has this agent. */
export function configuredTreeLimits(config: Pick<Config, "delegation" | "agent">, agent: string): TaskLimits {
  return strictest(toLimits(config.delegation?.tree), toLimits(config.agent?.[agent]?.limits?.tree))
}

function toLimits(
  config: Pick<DelegationConfig, "tokens" | "cost" | "timeout" | "tool_calls"> | undefined,
): TaskLimits {
  return {
    tokens: config?.tokens ?? null,
    cost: config?.cost ?? null,
    wallClock: config?.timeout ?? null,
    toolCalls: config?.tool_calls ?? null,
  }
}

/** What is left of a task's ceilings: the most that a task under it may use. */
export function remaining(task: Task, now: number): TaskLimits {
  const left = (limit: number | null, used: number) => (limit === null ? null : Math.max(limit - used, 0))
  const time = task.deadline === null ? null : Math.max(task.deadline - now, 0)
  return {
    tokens: left(task.limits.tokens, totalTokens(task.usage.tokens)),
    cost: left(task.limits.cost, task.usage.cost),
    wallClock: time,
    toolCalls: left(task.limits.toolCalls, task.usage.toolCalls),
  }
}

/** Why the usage exceeds the limits, in words for model and user; null while it does not. */
export function limitReached(
  usage: Task["usage"],
  limits: Omit<TaskLimits, "wallClock">,
  who: string,
): TaskError | null {
  const reached = (name: string, limit: number | null, used: string, over: boolean): TaskError | null =>
    limit !== null && over
      ? { type: "limit_reached", message: `${who} limit of ${limit} ${name} (used ${used}).` }
      : null
  const tokens = totalTokens(usage.tokens)
  return (
    reached("tokens", limits.tokens, String(tokens), tokens >= (limits.tokens ?? 0)) ??
    reached("USD", limits.cost, usage.cost.toFixed(4), usage.cost >= (limits.cost ?? 0)) ??
    reached("tool calls", limits.toolCalls, String(usage.toolCalls), usage.toolCalls >= (limits.toolCalls ?? 0))
  )
}

export const nothing: Task["usage"] = { ...noUsage, toolCalls: 0 }

export function addTaskUsage(usage: Task["usage"], used: Task["usage"]): Task["usage"] {
  return { ...addUsage(usage, used), toolCalls: usage.toolCalls + used.toolCalls }
}

/** A limit of time as it was set, in seconds; from a minute on as people say it. */
export function timeLimitText({ wallClock }: Pick<TaskLimits, "wallClock">): string {
  const ms = wallClock ?? 0
  return ms < 60_000 ? `${ms / 1_000} s` : formatDuration(ms)
}
