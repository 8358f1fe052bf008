import { createKeyedQueue } from "../../ground/concurrency/keyed-queue.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { FinalWrites } from "../../ground/event/final-writes.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Caller, Schedule, ScheduleRun } from "../../ground/schema/index.ts"
import type { ScheduleChange, ScheduleState, ScheduleStore } from "../../ground/store/index.ts"
import { nextFireAt, parsePhrase } from "./parse-phrase.ts"
import { createScheduleRecords, createScheduleRuns, lateness, type ScheduleTarget } from "./schedule-runs.ts"
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
  /**
   * How often the rows are looked at for what other processes changed (ms). Without it this process is alone: what was
   * due before its start counts as missed.
   */
  lookMs?: number | undefined
  onError(error: unknown): void
}

export interface Scheduler extends ScheduleService {
  /** The service in the name of a caller, who is recorded with what they create or run. */
  as(caller: Caller): ScheduleService
  /**
   * Takes over what the last process left, handles what became due meanwhile, then waits for the next due time. Of
   * several processes on a store one does this at a time; if two do, each due time still has one run.
   */
  start(): Promise<void>
  /** Fires no more schedules. Resolves when all writes are done; turns that were prompted go on. */
  stop(): Promise<void>
}

/** Prompts sessions at given times. Each schedule has at most one run at a time. */
export function createScheduler(deps: SchedulerDeps): Scheduler {
  const { store, clock, lookMs } = deps
  const records = createScheduleRecords(deps)
  const oneByOne = createKeyedQueue()
  const runs = createScheduleRuns({ ...deps, records, onEnd: () => void tick() })
  /** What was due before counts as missed; null while nothing is fired here. */
  let since: number | null = null
  let cancelTimer = () => {}

  const fire = async (id: string, since: number) => {
    const changed = await records.change(id, (state) => whenDue(deps, state, since))
    if (changed?.schedule && changed.run?.status === "running") {
      runs.prompt(changed.schedule, changed.run).catch(deps.onError)
    }
  }
  /** Fires due schedules and sets the timer for the next due time. */
  const tick = () =>
    oneByOne("ticks", async () => {
      cancelTimer()
      if (since === null) return
      let next: number | null = null
      try {
        if (lookMs !== undefined) await runs.takeOver()
        for (const { id, projectID } of await store.due(clock())) {
          if (await deps.target.isHere(projectID)) await fire(id, since)
        }
        next = lookMs === undefined ? earliest(await store.list(), clock()) : clock() + lookMs
      } catch (error) {
        deps.onError(error)
        next = clock() + longestWait
      }
      if (next !== null) cancelTimer = deps.setTimer(() => void tick(), Math.min(next - clock(), lookMs ?? longestWait))
    })

  const serviceOf = (by?: Caller): ScheduleService => ({
    preview: async (when) => previewOf(when, { now: clock(), timeZone: deps.timeZone }),
    create: async (input) => records.put(await newSchedule(deps, input, by)).finally(tick),
    list: (projectID) => store.list(projectID),
    get: records.get,
    async setStatus(ref, status) {
      const { id } = await records.get(ref)
      const changed = await records.change(id, ({ schedule }) =>
        schedule.status === status ? null : { schedule: withStatus(schedule, status, deps) },
      )
      await tick()
      return changed?.schedule ?? records.get(ref)
    },
    async remove(ref) {
      await records.remove(await records.get(ref))
      await tick()
    },
    async runNow(ref) {
      const { id, number } = await records.get(ref)
      const begun = await records.change(id, ({ schedule, running }) => {
        if (running !== null) return null
        const run = newRun(schedule, clock(), deps)
        return { schedule: withRun(schedule, run), run: by === undefined ? run : { ...run, by } }
      })
      if (begun?.schedule && begun.run) return runs.prompt(begun.schedule, begun.run, true)
      throw new DocketError("invalid_input", `Schedule #${number} is running; wait until that has ended.`)
    },
    async runs({ ref, since: from, limit = pageSize.default }) {
      const scheduleID = ref === undefined ? undefined : (await records.get(ref)).id
      return store.runs({ scheduleID, since: from, limit: Math.min(limit, pageSize.max) })
    },
    run: async (id) => (await store.runs({ id, limit: 1 }))[0] ?? null,
  })

  return {
    ...serviceOf(),
    as: serviceOf,
    async start() {
      since = lookMs === undefined ? clock() : 0
      runs.follow()
      if (lookMs === undefined) await runs.takeOver()
      await tick()
    },
    async stop() {
      since = null
      await tick()
      await runs.stop()
    },
  }
}

/** What becomes of a schedule that may be due, and of the run that begins or that is refused. */
function whenDue(deps: SchedulerDeps, { schedule, running }: ScheduleState, since: number): ScheduleChange | null {
  const now = deps.clock()
  const situation = { now, startedAt: since, running: running !== null, timeZone: deps.timeZone }
  const decision = decideDue(schedule, situation)
  if (decision.kind === "wait") return null
  const run = newRun(schedule, decision.dueAt, deps)
  if (decision.kind === "run") return { schedule: withRun(decision.schedule, run), run }
  const next = { ...decision.schedule, time: { ...schedule.time, updated: now } }
  if (schedule.kind !== "one-shot") return { schedule: next }
  const error = "It fell due while Docket was not running."
  return { schedule: next, run: { ...run, status: "failed", completedAt: now, error } }
}

function newRun(schedule: Schedule, dueAt: number, { createID, clock }: SchedulerDeps): ScheduleRun {
  return {
    id: createID("scheduleRun"),
    scheduleID: schedule.id,
    status: "running",
    sessionID: schedule.sessionID,
    turnID: null,
    dueAt,
    startedAt: clock(),
    completedAt: null,
    summary: "",
    error: null,
    ...(schedule.by && { by: schedule.by }),
  }
}

function withRun(schedule: Schedule, { startedAt }: ScheduleRun): Schedule {
  return {
    ...schedule,
    lastRunAt: startedAt,
    runCount: schedule.runCount + 1,
    time: { ...schedule.time, updated: startedAt },
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
