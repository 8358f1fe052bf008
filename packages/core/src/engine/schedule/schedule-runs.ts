import { DocketError, isDocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { FinalWrites } from "../../ground/event/final-writes.ts"
import { keyedID } from "../../ground/id/keyed-id.ts"
import type { Caller, PromptInput, Schedule, ScheduleRun, Turn } from "../../ground/schema/index.ts"
import type { ScheduleChange, ScheduleState, ScheduleStore } from "../../ground/store/index.ts"

/** What schedule runs need from the runtime: it checks, stores and runs the prompted turn. */
export interface ScheduleTarget {
  /** Whether this process has the files of the project. */
  isHere(projectID: string): Promise<boolean>
  /** @throws DocketError when the project, session, agent or model does not exist */
  check(target: Pick<Schedule, "projectID" | "sessionID" | "agent" | "model">): Promise<void>
  /** The session of this id, a new one if there is none. */
  session(
    id: string,
    input: Pick<Schedule, "projectID" | "agent" | "model" | "by"> & { title: string },
  ): Promise<{ id: string }>
  /** The turn of this id, a new one if there is none. */
  prompt(id: string, prompt: { sessionID: string; input: PromptInput; by: Caller | undefined }): Promise<Turn>
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
  clock: () => number
  /** Called when a run has ended, so that its schedule may run again. */
  onEnd(): void
  onError(error: unknown): void
}

interface ScheduleRuns {
  /**
   * Prompts for a run that was stored, under ids that come of it: whoever tries it again finds what was made. Resolves
   * when the turn is queued or refused. A refused run pauses its schedule if it would be refused again, unless a user
   * started the run (`byHand`).
   */
  prompt(schedule: Schedule, run: ScheduleRun, byHand?: boolean): Promise<ScheduleRun>
  /** Waits for the turns of runs from now on, and stores how they ended. */
  follow(): void
  /** Goes on with what others left of the runs of projects that are here. */
  takeOver(): Promise<void>
  /** Waits for no turn any more: these go on, and their runs stay `running` until somebody takes them over. */
  stop(): Promise<void>
}

/** Most runs that are taken over. Each schedule has at most one. */
const maxTaken = 10_000

export function createScheduleRuns(deps: ScheduleRunsDeps): ScheduleRuns {
  const { store, records, target, clock } = deps
  /** Runs that this process is busy with, by id. */
  const busy = new Map<string, Promise<unknown>>()
  let following = new AbortController()
  following.abort()

  const during = <T>({ id }: ScheduleRun, work: () => Promise<T>): Promise<T> => {
    const promise = work()
    const done = promise.catch(deps.onError).finally(() => {
      if (busy.get(id) === done) busy.delete(id)
    })
    busy.set(id, done)
    return promise
  }
  const settle = async (run: ScheduleRun, { pause, ...outcome }: Outcome): Promise<ScheduleRun> => {
    const ended: ScheduleRun = { ...run, ...outcome, completedAt: clock() }
    const end = () =>
      records.change(run.scheduleID, ({ schedule, running }) => {
        if (running?.id !== run.id) return null
        const next = pause ? paused(schedule, run) : afterRun(schedule, ended)
        const isChanged = next !== schedule
        return { run: ended, ...(isChanged && { schedule: { ...next, time: { ...next.time, updated: clock() } } }) }
      })
    await deps.finalWrites.store({ rootID: null }, end)
    deps.onEnd()
    return ended
  }
  const waitFor = async (run: ScheduleRun, turnID: string): Promise<void> => {
    const { signal } = following
    if (signal.aborted) return
    let outcome: Outcome
    try {
      const turn = await target.wait(turnID, signal)
      outcome = outcomeOf(turn, await target.answer(turn))
    } catch (error) {
      if (signal.aborted) return
      outcome = { ...failureOf(error), pause: false }
    }
    await settle(run, outcome)
  }
  const promptFor = async (schedule: Schedule, run: ScheduleRun, byHand: boolean): Promise<ScheduleRun> => {
    try {
      await target.check(schedule)
      const made = { ...schedule, title: titleOf(schedule) }
      const sessionID = schedule.sessionID ?? (await target.session(keyedID("session", run.id), made)).id
      const turnID = keyedID("turn", run.id)
      await target.prompt(turnID, { sessionID, input: inputOf(schedule), by: schedule.by })
      return { ...run, sessionID, turnID }
    } catch (error) {
      const outcome = failureOf(error)
      return settle(run, { ...outcome, pause: outcome.pause && !byHand })
    }
  }
  const prompt: ScheduleRuns["prompt"] = async (schedule, run, byHand = false) => {
    const prompted = await during(run, () => promptFor(schedule, run, byHand))
    const { turnID } = prompted
    if (turnID === null || prompted.status !== "running") return prompted
    const note = () => records.change(schedule.id, ({ running }) => (running?.id === run.id ? { run: prompted } : null))
    // The turn already runs, even if this record cannot be stored.
    const noted = deps.finalWrites.store({ rootID: null }, note)
    during(run, () => noted.then(() => waitFor(prompted, turnID))).catch(() => {})
    return prompted
  }

  return {
    prompt,
    follow() {
      following = new AbortController()
    },
    async takeOver() {
      for (const run of await store.runs({ status: "running", limit: maxTaken })) {
        if (busy.has(run.id)) continue
        const schedule = await store.get(run.scheduleID)
        if (schedule === null || !(await target.isHere(schedule.projectID))) continue
        const { turnID } = run
        const isLate = schedule.missed === "skip" && clock() - run.dueAt > lateness
        if (turnID !== null) during(run, () => waitFor(run, turnID)).catch(() => {})
        else if (isLate) await settle(run, failureOf("Docket stopped while it was about to prompt."))
        else prompt(schedule, run).catch(deps.onError)
      }
    },
    async stop() {
      following.abort()
      while (busy.size > 0) await Promise.all(busy.values())
    },
  }
}

/**
 * ms; a run that starts later than this after its due time counts as missed: the host slept or its clock was changed.
 */
export const lateness = 2 * 60_000

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
  /** See `ScheduleStore.change`. */
  change(id: string, edit: (state: ScheduleState) => ScheduleChange | null): Promise<ScheduleChange | null>
  remove(schedule: Schedule): Promise<void>
}

export function createScheduleRecords(deps: { store: ScheduleStore; bus: Bus }): ScheduleRecords {
  const { store, bus } = deps
  const outsideTrees = { rootID: null, seq: null }
  const tell = (schedule: Schedule) =>
    bus.publish({ ...outsideTrees, type: "schedule.updated", properties: { schedule } })
  return {
    async get(ref) {
      const schedule = typeof ref === "number" ? await store.byNumber(ref) : await store.get(ref)
      if (schedule !== null) return schedule
      throw new DocketError("schedule_not_found", `There is no schedule ${typeof ref === "number" ? "#" : ""}${ref}.`)
    },
    async put(schedule) {
      await store.put(schedule)
      tell(schedule)
      return schedule
    },
    async change(id, edit) {
      const changed = await store.change(id, edit)
      if (changed?.run) {
        bus.publish({ ...outsideTrees, type: "schedule.run.updated", properties: { run: changed.run } })
      }
      if (changed?.schedule) tell(changed.schedule)
      return changed
    },
    async remove({ id }) {
      await store.remove(id)
      const event = { ...outsideTrees, type: "schedule.removed", properties: { scheduleID: id } } as const
      bus.publish(event)
    },
  }
}
