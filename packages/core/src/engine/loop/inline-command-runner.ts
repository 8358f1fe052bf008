import type { PermissionAsk } from "../../acts/permission/judge.ts"
import type { InlineCommand, ParsedInlineCommands } from "../../ground/inline-command/parse-inline-commands.ts"
import type { CommandLine, CommandResult, Turn } from "../../ground/schema/index.ts"
import type { TodoChangeOrigin } from "../../records/todo/todo-service.ts"

/** Where an inline command was found and who wrote it. */
export interface InlineCommandContext {
  sessionID: string
  by: TodoChangeOrigin
  /** Tells for which user the turn works. */
  turn: Pick<Turn, "by" | "cause"> & Partial<Pick<Turn, "input">>
  signal: AbortSignal
  /**
   * Asks for permission as a tool call of the agent does; absent when a person typed the text. Rejects when refused.
   */
  ask?: (request: PermissionAsk) => Promise<void>
}

/**
 * Runs one inline command and reports its result. Expected failures are `failed` lines.
 * A command with `complete: false` must change nothing.
 */
export type InlineCommandRunner = (
  inlineCommand: InlineCommand,
  context: InlineCommandContext,
) => Promise<CommandLine[]>

/** The results of the inline commands of a text: as text for the model, and as data. */
export interface InlineCommandAnswer {
  text: string
  results: CommandResult[]
}

export interface InlineCommandRunners {
  /**
   * Runs the inline commands of a text in order and ignores verbs without a runner. `finished` is false for an answer
   * that the output limit cut. `answer` is null when nothing ran; `rest` is the text without the commands.
   */
  run(
    text: string,
    context: InlineCommandContext & { finished: boolean },
  ): Promise<{ answer: InlineCommandAnswer | null; rest: string }>
  /** The inline commands of a text that `run` would run. */
  find(text: string, options: { finished: boolean }): ParsedInlineCommands
}

/** Something was done, e.g. `added #1 — milk`. */
export const done = (text: string): CommandLine => ({ kind: "done", text })

/** The command failed: why, or what to write instead. */
export const failed = (text: string): CommandLine => ({ kind: "failed", text })

export const plain = (text: string): CommandLine => ({ kind: "text", text })

/** An inline command that the end of the answer cut off is not run. */
export const cutOff = failed("the answer was cut off inside this command; nothing was changed")
