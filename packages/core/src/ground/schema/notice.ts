import { z } from "zod"
import { PartID, SessionID } from "./ids.ts"
import { CommandOrigin } from "./prompt-command.ts"
import { VerdictKind } from "./review.ts"
import { TaskState } from "./task.ts"
import { TodoStatus } from "./todo.ts"

/** A piece of the result of an inline command. */
export const CommandLine = z.discriminatedUnion("kind", [
  /** An open item of a list. `everyone`: the item belongs to no conversation. */
  z.object({
    kind: z.literal("todo"),
    number: z.number().int(),
    status: TodoStatus,
    content: z.string(),
    everyone: z.boolean(),
  }),
  /** An item that was set to a status. */
  z.object({ kind: z.literal("status"), status: TodoStatus, content: z.string() }),
  z.object({ kind: z.enum(["done", "failed", "skipped", "text"]), text: z.string() }),
  /** The answer of a subagent, in Markdown; with `failed`, the reason why there is no whole answer. */
  z.object({ kind: z.literal("answer"), agent: z.string(), failed: z.boolean(), text: z.string() }),
])
export type CommandLine = z.infer<typeof CommandLine>

export const CommandResult = z.object({
  /** The command as written, e.g. `/todo list`; null for a remark about all commands. */
  command: z.string().nullable(),
  lines: z.array(CommandLine),
})
export type CommandResult = z.infer<typeof CommandResult>

/** The report to the parent session about a background task that ended. */
export const EndedTask = z.object({
  number: z.number().int(),
  /** The child session; null in older rows that do not have it. */
  sessionID: SessionID.nullable(),
  agent: z.string(),
  description: z.string(),
  state: TaskState,
  /** The answer of the task, whole or partial; otherwise the reason why there is none. */
  text: z.string(),
})
export type EndedTask = z.infer<typeof EndedTask>

/** Who writes to a working agent: a person, or the agent that delegated to it. */
export const Speaker = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("person") }),
  z.object({ kind: z.literal("agent"), name: z.string() }),
])
export type Speaker = z.infer<typeof Speaker>

/** A task that people commented on or judged; null for the work of the session that receives the notice. */
const ReviewedTask = z.object({ number: z.number().int(), description: z.string(), agent: z.string() }).nullable()

/**
 * A message of Docket itself in a transcript, or one that Docket passes on, as data. The part's text says the same in
 * words for the model.
 */
export const Notice = z.discriminatedUnion("kind", [
  /** The commands in the text before: running, ended, or interrupted by a stop or by the end of the process. */
  z.object({
    kind: z.literal("commands"),
    state: z.enum(["running", "done", "stopped", "interrupted"]),
    results: z.array(CommandResult),
  }),
  z.object({ kind: z.literal("tasks-ended"), tasks: z.array(EndedTask) }),
  /** The subagents that a person asked for have answered. */
  z.object({ kind: z.literal("subtasks-done") }),
  /** The answer must fit the schema of the prompt. `problem`: how the last answer did not; null for the first. */
  z.object({ kind: z.literal("output-schema"), problem: z.string().nullable() }),
  /** The service was restarted in the middle of the turn. */
  z.object({ kind: z.literal("restarted") }),
  /** A message to an agent while it works, with its sender. */
  z.object({ kind: z.literal("message"), from: Speaker, text: z.string() }),
  /**
   * Verdicts and comments of people on tasks. `sendingID` names a sending of comments that needs an answer; without it
   * the agent is only informed.
   */
  z.object({
    kind: z.literal("review"),
    sendingID: z.string().nullable(),
    /** `verdict` is null when it was withdrawn. */
    verdicts: z.array(z.object({ task: ReviewedTask, verdict: VerdictKind.nullable(), reason: z.string() })),
    /** `place` describes the place in words; empty for a whole session. */
    comments: z.array(
      z.object({
        id: z.string(),
        task: ReviewedTask,
        place: z.string(),
        quote: z.string().nullable(),
        text: z.string(),
      }),
    ),
  }),
  /**
   * The session continues with this agent, because a person decided so about the call: plan mode begins, or the plan is
   * approved.
   */
  z.object({ kind: z.literal("mode"), agent: z.string(), partID: PartID }),
  /** `extension` names the one that says it, beside a prompt or in place of the end of a turn. */
  z.object({ kind: z.literal("remark"), text: z.string(), extension: z.string().optional() }),
  /** For people: the model does not read everything, because a text is too long or its server cuts prompts. */
  z.object({ kind: z.literal("window"), text: z.string() }),
  /** The result of a command of a prompt; the part's text is what models read, once the result is known. */
  z.object({
    kind: z.literal("command"),
    name: z.string(),
    origin: CommandOrigin,
    state: z.enum(["pending", "done", "stopped"]),
  }),
])
export type Notice = z.infer<typeof Notice>
