import type { PermissionAsk } from "../../acts/permission/judge.ts"
import type { CommandLine, CommandResult, Turn } from "../../ground/schema/index.ts"
import type { ParsedWrits, Writ } from "../../ground/writ/parse-writs.ts"
import type { TodoChangeOrigin } from "../../records/todo/todo-service.ts"

/** Where a writ was found and who wrote it. */
export interface WritContext {
  sessionID: string
  by: TodoChangeOrigin
  /** Of whose turn it is. */
  turn: Pick<Turn, "by" | "cause">
  signal: AbortSignal
  /** Asks leave as a tool call of the agent does; absent for what a person typed. Rejects when it is refused. */
  ask?: (request: PermissionAsk) => Promise<void>
}

/**
 * Carries one writ out and tells what came of it. Expected failures are `failed` lines; a writ with `complete: false`
 * must change nothing.
 */
export type WritRunner = (writ: Writ, context: WritContext) => Promise<CommandLine[]>

/** What the writs of a text came to: for the model in words, and as data. */
export interface WritAnswer {
  text: string
  results: CommandResult[]
}

export interface WritRunners {
  /**
   * Carries out the writs of a text in order. Verbs without a runner are left alone. `answer` is null when nothing ran;
   * `rest` is the text without the writs.
   */
  run(text: string, context: WritContext & { finished: boolean }): Promise<{ answer: WritAnswer | null; rest: string }>
  /** The writs of a text that would run. */
  find(text: string, options: { finished: boolean }): ParsedWrits
}
