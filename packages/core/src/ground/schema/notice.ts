import { z } from "zod"
import { PartID, SessionID } from "./ids.ts"
import { CommandOrigin } from "./prompt-command.ts"
import { VerdictKind } from "./review.ts"
import { TaskState } from "./task.ts"
import { TodoStatus } from "./todo.ts"

/** A piece of what a command in text came to. */
export const CommandLine = z.discriminatedUnion("kind", [
  /** An open item of a list. `everyone`: it belongs to no conversation. */
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
  /** What a subagent answered, in Markdown; with `failed`, why there is no whole answer. */
  z.object({ kind: z.literal("answer"), agent: z.string(), failed: z.boolean(), text: z.string() }),
])
export type CommandLine = z.infer<typeof CommandLine>

export const CommandResult = z.object({
  /** The command as it was given, e.g. `/todo list`; null for a remark about all of them. */
  command: z.string().nullable(),
  lines: z.array(CommandLine),
})
export type CommandResult = z.infer<typeof CommandResult>

/** A background task that ended, as its parent is told. */
export const EndedTask = z.object({
  number: z.number().int(),
  /** The child session; null where an older row does not say. */
  sessionID: SessionID.nullable(),
  agent: z.string(),
  description: z.string(),
  state: TaskState,
  /** Its answer, whole or partial; else why there is none. */
  text: z.string(),
})
export type EndedTask = z.infer<typeof EndedTask>

/** Who speaks to an agent that works: a person, or the agent that delegated to it. */
export const Speaker = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("person") }),
  z.object({ kind: z.literal("agent"), name: z.string() }),
])
export type Speaker = z.infer<typeof Speaker>

/** A task that people said something of; null for the work of the session that is told. */
const ReviewedTask = z.object({ number: z.number().int(), description: z.string(), agent: z.string() }).nullable()

/**
 * What Docket itself says in a transcript, or hands on, as data. The part's text is the same in words for the model.
 */
export const Notice = z.discriminatedUnion("kind", [
  /** Commands in the text before: under way, ended, or broken off by a stop or by the end of the process. */
  z.object({
    kind: z.literal("commands"),
    state: z.enum(["running", "done", "stopped", "interrupted"]),
    results: z.array(CommandResult),
  }),
  z.object({ kind: z.literal("tasks-ended"), tasks: z.array(EndedTask) }),
  /** The subagents that a person asked for have answered. */
  z.object({ kind: z.literal("subtasks-done") }),
  /** The process came back in the middle of the turn. */
  z.object({ kind: z.literal("restarted") }),
  /** Words to an agent while it worked, by whoever said them. */
  z.object({ kind: z.literal("message"), from: Speaker, text: z.string() }),
  /**
   * What people said of tasks. `sendingID` names a sending of comments that wants an answer; without it they are told.
   */
  z.object({
    kind: z.literal("review"),
    sendingID: z.string().nullable(),
    /** Null for one that was withdrawn. */
    verdicts: z.array(z.object({ task: ReviewedTask, verdict: VerdictKind.nullable(), reason: z.string() })),
    /** `place` is in words, empty for a whole session. */
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
   * The session goes on with this agent, as a person decided about the call: plan mode begins, or its plan is approved.
   */
  z.object({ kind: z.literal("mode"), agent: z.string(), partID: PartID }),
  z.object({ kind: z.literal("remark"), text: z.string() }),
  /** To people: a model does not read all that it is sent, as a text is too long for it, or its server cuts prompts. */
  z.object({ kind: z.literal("window"), text: z.string() }),
  /** What a command of a prompt came to; the part's text is what models read of it, once it is known. */
  z.object({
    kind: z.literal("command"),
    name: z.string(),
    origin: CommandOrigin,
    state: z.enum(["pending", "done", "stopped"]),
  }),
])
export type Notice = z.infer<typeof Notice>
