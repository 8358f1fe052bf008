import { isDeepStrictEqual } from "node:util"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import { isRefusal } from "../../ground/event/final-writes.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { formatDuration } from "../../ground/message/format-duration.ts"
import { addUsage, noUsage, totalTokens } from "../../ground/message/token-usage.ts"
import type { Session, Task, TaskError, TaskLimits, TreeBudget } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"
import type { AgentConfig, Config, DelegationConfig } from "../../setup/config/schema.ts"
import { LimitReached } from "../loop/stop-reason.ts"
import { createWork, type Work } from "../loop/work.ts"
import type { TurnQueue } from "../turn/turn-queue.ts"

interface TreeBudgetsDeps extends TreeClockDeps {
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

/** Changes within this time (ms) are stored together: a call that need not ask rests for a moment only. */
const storeMs = 50
/** The running time is stored this often (ms): the most of it that a crash forgets. */
const tickMs = 2_000

interface TreeClockDeps {
  journal: Journal
  clock: () => number
  timers?: Timers
}

/** The budget of a tree with what its row cannot hold. */
interface Tree extends TreeBudget {
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
function createTreeClock(deps: TreeClockDeps) {
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

interface BudgetWrite {
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

function timeError({ limits }: Tree): TaskError {
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

/** A parent whose tasks have ended for lack of time gets so long (ms) to take in their answers. */
const endGraceMs = 1_000

interface TimeUpDeps {
  tasks: { endTree(rootID: string, error: TaskError): Promise<number> }
  queue: Pick<TurnQueue, "open" | "cancel">
  clock: () => number
}

/** Ends what works in a tree whose time is up: its tasks, then the turns that ran. One that begins later has its own time. */
export async function timeUp({ tasks, queue, clock }: TimeUpDeps, rootID: string, error: TaskError): Promise<void> {
  const at = clock()
  // This may take seconds, and a person may prompt meanwhile.
  const ended = await tasks.endTree(rootID, error)
  const { alive } = await queue.open(rootID)
  const ran = alive.filter(({ status, time }) => status === "running" && (time.started ?? 0) <= at)
  await queue.cancel(ran, { reason: new LimitReached(error.message), graceMs: ended > 0 ? endGraceMs : 0 })
}
