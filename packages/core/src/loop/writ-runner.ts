import type { PermissionAsk } from "../permission/permission-ask.ts"
import type { TodoChangeOrigin } from "../todo/todo-service.ts"
import type { ParsedWrits, Writ } from "../writ/parse-writs.ts"

/** Where a writ was found and who wrote it. */
export interface WritContext {
  sessionID: string
  by: TodoChangeOrigin
  signal: AbortSignal
  /** Asks leave as a tool call of the agent does; absent for what a person typed. Rejects when it is refused. */
  ask?: (request: PermissionAsk) => Promise<void>
}

/**
 * Carries one writ out and answers with its framed result. Expected failures are results that begin with
 * `ERR:`; a writ with `complete: false` must change nothing.
 */
export type WritRunner = (writ: Writ, context: WritContext) => Promise<string>

export interface WritRunners {
  /**
   * Carries out the writs of a text in order. Verbs without a runner are left alone. `results` is what the
   * model reads, or null when nothing ran; `rest` is the text without the writs.
   */
  run(text: string, context: WritContext & { finished: boolean }): Promise<{ results: string | null; rest: string }>
  /** The writs of a text that would run. */
  find(text: string, options: { finished: boolean }): ParsedWrits
}
