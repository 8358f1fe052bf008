import { isDeepStrictEqual } from "node:util"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import { isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { formatDuration } from "../../ground/message/format-duration.ts"
import { addUsage, noUsage, totalTokens } from "../../ground/message/usage.ts"
import type { Session, Task, TaskError, TaskLimits, TreeBudget } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { AgentConfig, Config, DelegationConfig } from "../../setup/config/schema.ts"
import { type CountedTime, countTime } from "../loop/counted-time.ts"
import { LimitReached } from "../loop/stop-reason.ts"
import type { TurnQueue } from "../turn/turn-queue.ts"

interface TreeBudgetsDeps extends TreeClockDeps {
  store: Pick<Store, "session">
  /** Whether other runtimes may work in the same trees. If so, an idle tree is read from its row again. */
  isShared: boolean
}

/**
 * The usage of whole trees against their limits: tokens, cost and calls of tasks, and the time that the tree worked.
 */
export interface TreeBudgets {
  /** Work begins in the tree. `fresh` restarts its clock. */
  begin(rootID: string, options: { limits: TaskLimits; fresh: boolean; onTimeUp: OnTimeUp }): Promise<CountedTime>
  /** Counts the usage of a task. Commit the result together with the task, so that a crash loses neither. */
  record(rootID: string, used: Task["usage"]): BudgetWrite
  /** How many more tool calls the tasks of the tree may make. */
  callsLeft(rootID: string): number
  /** Why a task, or the root (`time` only), may not continue; null when it may. */
  reached(rootID: string, what: "all" | "time"): TaskError | null
  /** Whether the tree has no time left for another turn, also when nothing has worked in it since a restart. */
  isOutOfTime(root: Session): boolean
  /** Restarts the tree's clock. */
  restart(rootID: string): void
  /** Stops all clocks and stores their state. */
  close(): void
}

export function createTreeBudgets(deps: TreeBudgetsDeps): TreeBudgets {
  const trees = new Map<string, Tree>()
  const clock = createTreeClock(deps)
  const load = async (rootID: string): Promise<Tree> => {
    const known = trees.get(rootID)
    const isCurrent = known !== undefined && (known.active > 0 || known.storing !== null || !deps.isShared)
    if (isCurrent) return known
    const stored = (await deps.store.session.get(rootID))?.tree ?? null
    const { usage, worked } = stored ?? { usage: noTaskUsage, worked: 0 }
    if (known !== undefined) return Object.assign(known, { stored, usage, worked })
    const rest = { active: 0, tick: null, storing: null, stored, timeUp: false, onTimeUp: () => {} }
    // Another call may have loaded it meanwhile.
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
      const work = countTime({ start: () => clock.start(tree), stop: () => clock.stop(tree) })
      clock.changed(tree)
      return work
    },
    record(rootID, used) {
      const tree = trees.get(rootID)
      if (tree === undefined) return { mutations: [], failed: () => {} }
      tree.usage = addTaskUsage(tree.usage, used)
      return clock.pendingWrite(tree)
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

/**
 * Changes within this time (ms) are stored together: a call that needs no answer pauses the clock only for a moment.
 */
const storeMs = 50
/** The running time is stored this often (ms). A crash loses at most this much. */
const tickMs = 2_000

interface TreeClockDeps {
  journal: Journal
  clock: () => number
  timers?: Timers
}

/** The budget of a tree with the state that its row cannot hold. */
interface Tree extends TreeBudget {
  rootID: string
  /** How many works are active. */
  active: number
  /** Cancels the pending timer. */
  tick: (() => void) | null
  /** Cancels the pending write. */
  storing: (() => void) | null
  /** The budget in the row. */
  stored: TreeBudget | null
  /** Set once `onTimeUp` was called, until the tree has time again. */
  timeUp: boolean
  /** Ends the work in the tree. */
  onTimeUp: OnTimeUp
}

/** Called when the tree has used up its time. */
export type OnTimeUp = (rootID: string, error: TaskError) => void

/** Counts the time while anything in a tree works, and stores changes of its budget. */
function createTreeClock(deps: TreeClockDeps) {
  const { timers = nodeTimers } = deps
  const settle = (tree: Tree) => settleTime(tree, deps.clock())
  const { store, changed, pendingWrite } = createBudgetWriter(deps)
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
    // Work that begins in an expired tree ends by itself, because `reached` reports the limit.
    if (!tree.timeUp) schedule(tree)
    // Forces a write of the running time, which for readers is no change.
    tree.stored = null
    store(tree)
  }
  return {
    isUp,
    changed,
    pendingWrite,
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

interface BudgetWrite {
  mutations: Mutation[]
  /** The mutations were not committed. */
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
    // The session was removed while the write was pending.
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
    /** The mutations that store the current budget. The caller commits them together with its own. */
    pendingWrite: (tree: Tree): BudgetWrite => ({ mutations: changes(tree), failed: (error) => failed(tree, error) }),
  }
}

function timeError({ limits }: Tree): TaskError {
  return {
    type: "limit_reached",
    message: `The session and its tasks together reached their time limit of ${timeLimitText(limits)}.`,
  }
}

/** Whether readers see the same budget. They add the time since `since` themselves. */
function sameBudget(one: TreeBudget | null, other: TreeBudget | null): boolean {
  if (one === null || other === null) return one === other
  /** When the work would have begun if it had never paused; null while the clock stands still. */
  const begun = (budget: TreeBudget) => (budget.since === null ? null : budget.since - budget.worked)
  const [here, there] = [begun(one), begun(other)]
  const isSameTime =
    here === null || there === null ? here === there && one.worked === other.worked : isNear(here, there)
  return isSameTime && one.usage === other.usage && isDeepStrictEqual(one.limits, other.limits)
}

const isNear = (one: number, other: number) => Math.abs(one - other) < storeMs

export const noLimits: TaskLimits = { tokens: null, cost: null, wallClock: null, toolCalls: null }

/** The strictest value of each limit. */
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

/** The limits that the configuration sets for a task of an agent. */
export function configuredLimits(delegation: DelegationConfig | undefined, agent: AgentConfig | undefined): TaskLimits {
  return strictest(toLimits(delegation), toLimits(agent?.limits))
}

/** The limits that the configuration sets for a whole tree whose root has this agent. */
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

/** What is left of a task's limits: a task under it may use no more. */
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

/**
 * Why the usage exceeds the limits, in words for model and user; null while it does not. `beginning` is that of the
 * message: "Task #3 reached its".
 */
export function limitReached(
  usage: Task["usage"],
  limits: Omit<TaskLimits, "wallClock">,
  beginning: string,
): TaskError | null {
  const reached = (name: string, limit: number | null, used: string, over: boolean): TaskError | null =>
    limit !== null && over
      ? { type: "limit_reached", message: `${beginning} limit of ${limit} ${name} (used ${used}).` }
      : null
  const tokens = totalTokens(usage.tokens)
  return (
    reached("tokens", limits.tokens, String(tokens), tokens >= (limits.tokens ?? 0)) ??
    reached("USD", limits.cost, usage.cost.toFixed(4), usage.cost >= (limits.cost ?? 0)) ??
    reached("tool calls", limits.toolCalls, String(usage.toolCalls), usage.toolCalls >= (limits.toolCalls ?? 0))
  )
}

export const noTaskUsage: Task["usage"] = { ...noUsage, toolCalls: 0 }

export function addTaskUsage(usage: Task["usage"], used: Task["usage"]): Task["usage"] {
  return { ...addUsage(usage, used), toolCalls: usage.toolCalls + used.toolCalls }
}

/** A time limit in seconds, from one minute on as a readable duration. */
export function timeLimitText({ wallClock }: Pick<TaskLimits, "wallClock">): string {
  const ms = wallClock ?? 0
  return ms < 60_000 ? `${ms / 1_000} s` : formatDuration(ms)
}

/** The time (ms) that a parent gets to read its tasks' answers after they ended for lack of time. */
const endGraceMs = 1_000

interface TimeUpDeps {
  tasks: { endTree(rootID: string, error: TaskError): Promise<number> }
  queue: Pick<TurnQueue, "open" | "cancel">
  clock: () => number
}

/** Ends the work in a tree whose time is up: first tasks, then running turns. Later turns have their own time. */
export async function timeUp({ tasks, queue, clock }: TimeUpDeps, rootID: string, error: TaskError): Promise<void> {
  const at = clock()
  // This may take seconds. A turn that a person starts meanwhile is not stopped.
  const ended = await tasks.endTree(rootID, error)
  const { alive } = await queue.open(rootID)
  const ran = alive.filter(({ status, time }) => status === "running" && (time.started ?? 0) <= at)
  await queue.cancel(ran, { reason: new LimitReached(error.message), graceMs: ended > 0 ? endGraceMs : 0 })
}
