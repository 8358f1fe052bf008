import { isDocketError } from "../../ground/error/docket-error.ts"
import { inlineCommandNumber } from "../../ground/inline-command/inline-command-number.ts"
import { parseInlineCommands } from "../../ground/inline-command/parse-inline-commands.ts"
import type { Caller, CommandLine, Schedule, Session } from "../../ground/schema/index.ts"
import { cutOff, done, failed, type InlineCommandRunner, plain } from "../loop/inline-command-runner.ts"
import { formatLocal } from "../schedule/local-time.ts"
import type { ScheduleService } from "../schedule/schedule-service.ts"
import { causeOf } from "../turn/turn-queue.ts"

const usage = failed("usage: /schedule <phrase>: <message> | /schedule list | /schedule cancel|pause|resume <id>")

export interface ScheduleCommandDeps {
  /** The schedules for a caller, in whose name a new schedule is created. */
  schedule: { as(caller?: Caller): ScheduleService }
  sessionByID(id: string): Promise<Pick<Session, "id" | "projectID" | "parentID">>
  timeZone: string
}

const statusOf = { cancel: "canceled", pause: "paused", resume: "active" } as const
const doneOf = { cancel: "canceled", pause: "paused", resume: "resumed" } as const

/**
 * `/schedule` commands: `<phrase>: <message>` schedules a prompt to this session; the others are about the project's
 * schedules. A child may only list, because its session ends with its task. An agent may not schedule inline commands:
 * they would run later with the user's rights.
 */
export function createScheduleCommandRunner(deps: ScheduleCommandDeps): InlineCommandRunner {
  return async (inlineCommand, { sessionID, by, turn, ask }) => {
    if (!inlineCommand.complete) return [cutOff]
    if (by.actor.kind === "agent" && schedulesCommand(inlineCommand.args)) return [noCommands]
    const action = /^(list|cancel|pause|resume)\b/.exec(inlineCommand.args)?.[1] ?? "create"
    await ask?.({
      permission: "schedule",
      patterns: [action],
      always: [action],
      metadata: { kind: "schedule", command: inlineCommand.args },
    })
    const schedule = deps.schedule.as(causeOf(turn) ?? undefined)
    return [
      await answered(async () => runVerb({ ...deps, schedule }, inlineCommand.args, await deps.sessionByID(sessionID))),
    ]
  }
}

const noCommands = failed("a message cannot be a command of its own; write what is to be done in words")

/** Whether the message contains inline commands. */
function schedulesCommand(args: string): boolean {
  return messageAt(args) > 0 && parseInlineCommands(messageOf(args), { finished: true }).inlineCommands.length > 0
}

/** The position of the colon between time and message. A colon within a time has no white space after it. */
function messageAt(args: string): number {
  return args.search(/:(?=\s)/)
}

function messageOf(args: string): string {
  return args.slice(messageAt(args) + 1).trim()
}

/** The session in which the command was typed. */
type CommandSession = Pick<Session, "id" | "projectID" | "parentID">

interface VerbDeps extends Pick<ScheduleCommandDeps, "timeZone"> {
  schedule: ScheduleService
}

async function runVerb(deps: VerbDeps, args: string, session: CommandSession): Promise<CommandLine> {
  if (args === "list") return plain(listed(await deps.schedule.list(session.projectID), deps.timeZone))
  if (session.parentID !== null) {
    return failed("only the main agent of a conversation can plan; tell it what to schedule")
  }
  const [, verb, ref] = /^(cancel|pause|resume)(?:\s+(\S+))?$/.exec(args) ?? []
  if (verb === "cancel" || verb === "pause" || verb === "resume") {
    const number = inlineCommandNumber(ref ?? "")
    if (number === null) return failed(`usage: /schedule ${verb} <id>`)
    const { id, projectID, message } = await deps.schedule.get(number)
    if (projectID !== session.projectID) return failed("schedule not found")
    await deps.schedule.setStatus(id, statusOf[verb])
    return done(`${doneOf[verb]} — ${firstLine(message)}`)
  }
  return addSchedule(deps, args, session)
}

async function addSchedule(deps: VerbDeps, args: string, { id, projectID }: CommandSession): Promise<CommandLine> {
  const at = messageAt(args)
  if (at <= 0) return usage
  const [when, message] = [args.slice(0, at), messageOf(args)]
  const schedule = await deps.schedule.create({ projectID, sessionID: id, when, message })
  const next = schedule.nextFireAt === null ? "" : ` (next ${formatLocal(schedule.nextFireAt, deps.timeZone)})`
  return done(`scheduled #${schedule.number} — ${schedule.phrase}${next}`)
}

function listed(schedules: Schedule[], timeZone: string): string {
  const open = schedules.filter(({ status }) => status === "active" || status === "paused")
  if (open.length === 0) return "(no schedules)"
  return open
    .map(({ number, status, phrase, message, nextFireAt }) => {
      const next = nextFireAt === null ? "" : ` (next ${formatLocal(nextFireAt, timeZone)})`
      return `#${number} [${status}] ${phrase}: ${firstLine(message)}${next}`
    })
    .join("\n")
}

function firstLine(message: string): string {
  const line = message.split("\n", 1)[0] ?? ""
  return line.length > 100 ? `${line.slice(0, 99)}…` : line
}

/** Runs the work; an expected failure becomes a `failed` line. */
async function answered(work: () => Promise<CommandLine>): Promise<CommandLine> {
  try {
    return await work()
  } catch (error) {
    if (!isDocketError(error)) throw error
    return failed(error.code === "schedule_not_found" ? "schedule not found" : error.message)
  }
}
