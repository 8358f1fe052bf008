import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { FinalWrites } from "../../ground/event/final-writes.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Caller, PromptInput, Schedule, ScheduleRun, Turn } from "../../ground/schema/index.ts"
import type { ScheduleStore } from "../../ground/store/index.ts"

/** What schedule runs need from the runtime: it checks, stores and runs the prompted turn. */
export interface ScheduleTarget {
  /** @throws DocketError when the project, session, agent or model does not exist */
  check(target: Pick<Schedule, "projectID" | "sessionID" | "agent" | "model">): Promise<void>
  newSession(input: Pick<Schedule, "projectID" | "agent" | "model" | "by"> & { title: string }): Promise<{ id: string }>
  prompt(sessionID: string, input: PromptInput, by: Caller | undefined): Promise<Turn>
  /** Resolves with the turn when it has ended, or at once with the stored turn when this process does not run it. */
  wait(turnID: string, signal: AbortSignal): Promise<Turn>
  /** The beginning of the turn's answer. */
  answer(turn: Turn): Promise<string>
}

interface ScheduleRunsDeps {
  store: ScheduleStore
  records: ScheduleRecords
  finalWrites: FinalWrites
  target: ScheduleTarget
  createID: CreateId
  clock: () => number
  /** Runs one change of schedules at a time. */
  exclusively<T>(change: () => Promise<T>): Promise<T>
  /** Called when a run has ended, so that its schedule may run again. */
  onEnd(): void
  onError(error: unknown): void
}

interface RunOptions {
  byHand: boolean
  /** The user who requested the run. */
  by?: Caller | undefined
}

interface ScheduleRuns {
  isRunning(scheduleID: string): boolean
  /**
   * Records a run and the schedule's next state, then prompts. Call it within `exclusively`. `prompted` resolves when
   * the turn is queued or refused. A refused run pauses its schedule if it would be refused again, unless a user
   * started the run (`byHand`).
   */
  begin(schedule: Schedule, dueAt: number, options?: RunOptions): Promise<{ prompted: Promise<ScheduleRun> }>
  /** Records a run that did not take place. */
  refuse(schedule: Schedule, dueAt: number, error: string): Promise<void>
  /** Takes over runs left by a stopped process: waits for those whose turn goes on, and marks the others as failed. */
  adopt(): Promise<void>
  /** Stops waiting. Turns go on and their runs stay `running` until the next start. */
  stop(): Promise<void>
}

/** Most runs taken over at a start. Each schedule has at most one. */
const maxAdopted = 10_000

export function createScheduleRuns(deps: ScheduleRunsDeps): ScheduleRuns {
  const { store, records, target, clock } = deps
  const running = new Set<string>()
  const work = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  const track = <T>(promise: Promise<T>): Promise<T> => {
    const done = promise.catch(deps.onError).finally(() => work.delete(done))
    work.add(done)
    return promise
  }

  const settle = async (run: ScheduleRun, { pause, ...outcome }: Outcome): Promise<ScheduleRun> => {
    const ended: ScheduleRun = { ...run, ...outcome, completedAt: clock() }
    const storeEnd = async () => {
      const schedule = await store.get(run.scheduleID)
      if (schedule !== null) {
        await records.putRun(ended)
        const next = pause ? paused(schedule, run) : afterRun(schedule, ended)
        if (next !== schedule) await records.put({ ...next, time: { ...next.time, updated: clock() } })
      }
      running.delete(run.scheduleID)
    }
    // Takes the lock for each attempt only, so that other schedules do not wait for the end of this one.
    await deps.finalWrites.store({ rootID: null }, () => deps.exclusively(storeEnd))
    deps.onEnd()
    return ended
  }
  const follow = async (run: ScheduleRun, turnID: string): Promise<void> => {
    let outcome: Outcome
    try {
      const turn = await target.wait(turnID, stopping.signal)
      outcome = outcomeOf(turn, await target.answer(turn))
    } catch (error) {
      if (stopping.signal.aborted) return
      outcome = { ...failureOf(error), pause: false }
    }
    await settle(run, outcome)
  }
  const prompt = async (schedule: Schedule, run: ScheduleRun, byHand: boolean): Promise<ScheduleRun> => {
    try {
      await target.check(schedule)
      const sessionID = schedule.sessionID ?? (await target.newSession({ ...schedule, title: titleOf(schedule) })).id
      const turn = await target.prompt(sessionID, inputOf(schedule), schedule.by)
      const prompted: ScheduleRun = { ...run, sessionID, turnID: turn.id }
      // The turn already runs, even if this record cannot be stored.
      const recorded = deps.finalWrites.store({ rootID: null }, () => records.putRun(prompted))
      void track(recorded.then(() => follow(prompted, turn.id)))
      return prompted
    } catch (error) {
      const outcome = failureOf(error)
      return settle(run, { ...outcome, pause: outcome.pause && !byHand })
    }
  }

  return {
    isRunning: (scheduleID) => running.has(scheduleID),
    async begin(schedule, dueAt, { byHand, by } = { byHand: false }) {
      // The run is stored first: after a crash before the schedule is stored, the schedule is still due and nothing was
      // prompted.
      const run = await records.putRun({ ...newRun(schedule, dueAt, deps), ...(by && { by }) })
      const stored = await records.put({
        ...schedule,
        lastRunAt: run.startedAt,
        runCount: schedule.runCount + 1,
        time: { ...schedule.time, updated: run.startedAt },
      })
      running.add(schedule.id)
      return { prompted: track(prompt(stored, run, byHand)) }
    },
    async refuse(schedule, dueAt, error) {
      const run = newRun(schedule, dueAt, deps)
      await records.putRun({ ...run, status: "failed", completedAt: run.startedAt, error })
    },
    async adopt() {
      for (const run of await store.runs({ status: "running", limit: maxAdopted })) {
        running.add(run.scheduleID)
        if (run.turnID !== null) void track(follow(run, run.turnID))
        else await settle(run, failureOf("Docket stopped while it was about to prompt."))
      }
    },
    async stop() {
      stopping.abort()
      while (work.size > 0) await Promise.all(work)
    },
  }
}

function newRun(schedule: Schedule, dueAt: number, { createID, clock }: ScheduleRunsDeps): ScheduleRun {
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

/** A one-shot schedule keeps its due time, so that it can be resumed. */
function paused(schedule: Schedule, run: ScheduleRun): Schedule {
  if (schedule.status === "canceled") return schedule
  return { ...schedule, status: "paused", nextFireAt: schedule.kind === "one-shot" ? run.dueAt : null }
}

function afterRun(schedule: Schedule, run: ScheduleRun): Schedule {
  const failed = schedule.kind === "one-shot" && schedule.status === "completed" && run.status === "failed"
  return failed ? { ...schedule, status: "failed" } : schedule
}

function titleOf({ phrase, message }: Schedule): string {
  const line = message.trim().split("\n", 1)[0] ?? ""
  return `${phrase}: ${line.length > 60 ? `${line.slice(0, 59)}…` : line}`
}

function inputOf({ message, agent, model }: Schedule): PromptInput {
  return {
    parts: [{ type: "text", text: message }],
    ...(agent !== null && { agent }),
    ...(model !== null && { model }),
  }
}

/** Errors that every further run would meet too: the schedule pauses until a user has fixed the cause. */
const pausing = new Set([
  "project_not_found",
  "project_directory_missing",
  "session_not_found",
  "agent_not_found",
  "model_not_found",
  "provider_not_found",
])

interface Outcome {
  status: "succeeded" | "failed"
  summary: string
  error: string | null
  /** Whether the schedule should pause, because it cannot run again at present. */
  pause: boolean
}

const reasons: Record<Turn["status"], string> = {
  completed: "",
  failed: "The turn failed.",
  aborted: "It was stopped.",
  interrupted: "The Docket process stopped while it ran.",
  queued: "The Docket process stopped before it ran.",
  running: "The Docket process stopped while it ran.",
}

function outcomeOf(turn: Turn, summary: string): Outcome {
  if (turn.status === "completed") return { status: "succeeded", summary, error: null, pause: false }
  return { status: "failed", summary, error: turn.error?.message ?? reasons[turn.status], pause: false }
}

function failureOf(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error)
  return { status: "failed", summary: "", error: message, pause: isDocketError(error) && pausing.has(error.code) }
}

/** Stored schedules and runs; every change is an event of the project, not of a tree. */
interface ScheduleRecords {
  /** @throws schedule_not_found */
  get(ref: string | number): Promise<Schedule>
  put(schedule: Schedule): Promise<Schedule>
  remove(schedule: Schedule): Promise<void>
  putRun(run: ScheduleRun): Promise<ScheduleRun>
}

export function createScheduleRecords(deps: { store: ScheduleStore; bus: Bus }): ScheduleRecords {
  const { store, bus } = deps
  const outsideTrees = { rootID: null, seq: null }
  return {
    async get(ref) {
      const schedule = typeof ref === "number" ? await store.byNumber(ref) : await store.get(ref)
      if (schedule !== null) return schedule
      throw new DocketError("schedule_not_found", `There is no schedule ${typeof ref === "number" ? "#" : ""}${ref}.`)
    },
    async put(schedule) {
      await store.put(schedule)
      const event = { ...outsideTrees, type: "schedule.updated", properties: { schedule } } as const
      bus.publish(event)
      return schedule
    },
    async remove({ id }) {
      await store.remove(id)
      const event = { ...outsideTrees, type: "schedule.removed", properties: { scheduleID: id } } as const
      bus.publish(event)
    },
    async putRun(run) {
      await store.putRun(run)
      bus.publish({ ...outsideTrees, type: "schedule.run.updated", properties: { run } })
      return run
    },
  }
}
