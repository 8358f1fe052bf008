import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { FinalWrites } from "../../ground/event/final-writes.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Caller, Schedule } from "../../ground/schema/index.ts"
import type { ScheduleStore } from "../../ground/store/index.ts"
import { nextFireAt, parsePhrase } from "./parse-phrase.ts"
import { createScheduleRecords, createScheduleRuns, type ScheduleTarget } from "./schedule-runs.ts"
import type { ScheduleService } from "./schedule-service.ts"

/** ms; the clock is checked at least this often, in case it jumped or the host slept. */
const longestWait = 60_000
const maxMessageLength = 100_000
const pageSize = { default: 50, max: 10_000 }

export interface SchedulerDeps {
  store: ScheduleStore
  bus: Bus
  finalWrites: FinalWrites
  target: ScheduleTarget
  createID: CreateId
  clock: () => number
  /** IANA name of the host's time zone. */
  timeZone: string
  /** Calls `run` once after `ms`; returns a function that cancels it. */
  setTimer(run: () => void, ms: number): () => void
  onError(error: unknown): void
}

export interface Scheduler extends ScheduleService {
  /** The service in the name of a caller, who is recorded with what they create or run. */
  as(caller: Caller): ScheduleService
  /** Takes over what the last process left, handles what became due meanwhile, then waits for the next due time. */
  start(): Promise<void>
  /** Fires no more schedules. Resolves when all writes are done; turns that were prompted go on. */
  stop(): Promise<void>
}

/** Prompts sessions at given times. Each schedule has at most one run at a time. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { store, clock } = deps
  const records = createScheduleRecords(deps)
  const inOrder = createKeyedQueue()
  const exclusively = <T>(change: () => Promise<T>) => inOrder("schedules", change)
  const runs = createScheduleRuns({ ...deps, records, exclusively, onEnd: () => void tick() })
  let startedAt: number | null = null
  let cancelTimer = () => {}

  const fireIfDue = async (schedule: Schedule, since: number) => {
    const running = runs.isRunning(schedule.id)
    const decision = decideDue(schedule, { now: clock(), startedAt: since, running, timeZone: deps.timeZone })
    if (decision.kind === "wait") return
    if (decision.kind === "run") {
      await runs.begin(decision.schedule, decision.dueAt)
      return
    }
    if (schedule.kind === "one-shot") {
      await runs.refuse(decision.schedule, decision.dueAt, "It fell due while Docket was not running.")
    }
    await records.put({ ...decision.schedule, time: { ...schedule.time, updated: clock() } })
  }
  /** Fires due schedules and sets the timer for the next due time. */
  const tick = () =>
    exclusively(async () => {
      cancelTimer()
      if (startedAt === null) return
      let next: number | null = null
      try {
        for (const { id } of await store.due(clock())) {
          const schedule = await store.get(id)
          if (schedule !== null) await fireIfDue(schedule, startedAt)
        }
        next = earliest(await store.list(), clock())
      } catch (error) {
        deps.onError(error)
        next = clock() + longestWait
      }
      if (next !== null) cancelTimer = deps.setTimer(() => void tick(), Math.min(next - clock(), longestWait))
    })
  const change = <T>(act: () => Promise<T>): Promise<T> => exclusively(act).finally(tick)

  const serviceOf = (by?: Caller): ScheduleService => ({
    preview: async (when) => previewOf(when, { now: clock(), timeZone: deps.timeZone }),
    create: (input) => change(async () => records.put(await newSchedule(deps, input, by))),
    list: (projectID) => store.list(projectID),
    get: records.get,
    setStatus: (ref, status) =>
      change(async () => {
        const schedule = await records.get(ref)
        return schedule.status === status ? schedule : records.put(withStatus(schedule, status, deps))
      }),
    remove: (ref) => change(async () => records.remove(await records.get(ref))),
    async runNow(ref) {
      const { prompted } = await exclusively(async () => {
        const schedule = await records.get(ref)
        if (!runs.isRunning(schedule.id)) return runs.begin(schedule, clock(), { byHand: true, by })
        throw new DocketError("invalid_input", `Schedule #${schedule.number} is running; wait until that has ended.`)
      })
      return prompted
    },
    async runs({ ref, since, limit = pageSize.default }) {
      const scheduleID = ref === undefined ? undefined : (await records.get(ref)).id
      return store.runs({ scheduleID, since, limit: Math.min(limit, pageSize.max) })
    },
    run: async (id) => (await store.runs({ id, limit: 1 }))[0] ?? null,
  })

  return {
    ...serviceOf(),
    as: serviceOf,
    async start() {
      startedAt = clock()
      await runs.adopt()
      await tick()
    },
    async stop() {
      startedAt = null
      await tick()
      await runs.stop()
    },
  }
}

/** Number of times shown in the preview of a recurring schedule. */
const previewed = 5

function previewOf(when: string, { now, timeZone }: { now: number; timeZone: string }) {
  const plan = parsePhrase(when, { now, timeZone })
  const next = [plan.fireAt]
  const schedule = { ...plan, time: { created: now } }
  while (plan.kind === "recurring" && next.length < previewed) {
    const after = nextFireAt(schedule, next.at(-1) ?? 0, timeZone)
    if (after === null) break
    next.push(after)
  }
  return { normalized: plan.normalized, kind: plan.kind, next }
}

async function newSchedule(
  deps: SchedulerDeps,
  input: Parameters<ScheduleService["create"]>[0],
  by: Caller | undefined,
): Promise<Schedule> {
  const now = deps.clock()
  const plan = parsePhrase(input.when, { now, timeZone: deps.timeZone })
  const message = input.message.trim()
  if (message === "" || message.length > maxMessageLength) {
    throw new DocketError("invalid_input", `The message must have 1 to ${maxMessageLength} characters.`)
  }
  const target = {
    projectID: input.projectID,
    sessionID: input.sessionID ?? null,
    agent: input.agent ?? null,
    model: input.model ?? null,
  }
  await deps.target.check(target)
  return {
    ...target,
    id: input.id ?? deps.createID("schedule"),
    number: await deps.store.reserveNumber(),
    phrase: input.when.trim(),
    kind: plan.kind,
    cron: plan.cron,
    interval: plan.interval,
    message,
    status: "active",
    missed: input.missed ?? "once",
    nextFireAt: plan.fireAt,
    lastRunAt: null,
    runCount: 0,
    ...(by && { by }),
    time: { created: now, updated: now },
  }
}

/** Recurring times that passed during a pause are skipped; a one-shot time that passed is due at once. */
function withStatus(
  schedule: Schedule,
  status: "active" | "paused" | "canceled",
  deps: Pick<SchedulerDeps, "clock" | "timeZone">,
): Schedule {
  if (schedule.status !== "active" && schedule.status !== "paused") {
    throw new DocketError(
      "invalid_input",
      `Schedule #${schedule.number} has ended (${schedule.status}); make a new one.`,
    )
  }
  const now = deps.clock()
  const keepsTime = schedule.kind === "one-shot" && status !== "canceled"
  const ownTime = status === "active" ? Math.max(schedule.nextFireAt ?? now, now) : schedule.nextFireAt
  const nextTime = status === "active" ? nextFireAt(schedule, now, deps.timeZone) : null
  return {
    ...schedule,
    status,
    nextFireAt: keepsTime ? ownTime : nextTime,
    time: { ...schedule.time, updated: now },
  }
}

/**
 * The next time when a schedule falls due, at most `longestWait` from now; null when none has a due time. A schedule
 * that is already due sets no time: it waits for the end of a run, which calls `tick`.
 */
function earliest(schedules: readonly Schedule[], now: number): number | null {
  const times = schedules.flatMap(({ status, nextFireAt: at }) => (status === "active" && at !== null ? [at] : []))
  if (times.length === 0) return null
  return times.reduce((least, at) => (at > now ? Math.min(least, at) : least), now + longestWait)
}

/**
 * ms; a run that starts later than this after its due time counts as missed: the host slept or its clock was changed.
 */
const lateness = 2 * 60_000

interface DueSituation {
  now: number
  /** When this scheduler started; what was due before counts as missed. */
  startedAt: number
  /** A run of this schedule is in progress. */
  running: boolean
  timeZone: string
}

/** What to do with a schedule. `schedule` is its next state: the next due time, or its end. */
type DueDecision =
  | { kind: "wait" }
  | { kind: "skip"; dueAt: number; schedule: Schedule }
  | { kind: "run"; dueAt: number; schedule: Schedule }

/**
 * Decides about a schedule by its policy for missed runs. A run that could not start because the previous one was in
 * progress counts as missed, so runs of a schedule never overlap. `all` catches up on each missed run, one after
 * another; `once` catches up on all of them with one run; `skip` drops them. A one-shot waits for the run in progress.
 */
function decideDue(schedule: Schedule, situation: DueSituation): DueDecision {
  const { now, startedAt, running, timeZone } = situation
  const dueAt = schedule.nextFireAt
  if (schedule.status !== "active" || dueAt === null || dueAt > now) return { kind: "wait" }
  const dropped = schedule.missed === "skip" && (dueAt < startedAt || now - dueAt > lateness)
  if (schedule.kind === "one-shot") {
    if (running) return { kind: "wait" }
    const status = dropped ? "failed" : "completed"
    return { kind: dropped ? "skip" : "run", dueAt, schedule: { ...schedule, status, nextFireAt: null } }
  }
  if (running && schedule.missed !== "skip") return { kind: "wait" }
  const next = nextFireAt(schedule, schedule.missed === "all" ? dueAt : now, timeZone)
  const nextState: Schedule =
    next === null ? { ...schedule, status: "completed", nextFireAt: null } : { ...schedule, nextFireAt: next }
  return { kind: dropped || running ? "skip" : "run", dueAt, schedule: nextState }
}
