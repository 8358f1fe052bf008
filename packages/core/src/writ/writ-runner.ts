import type { TodoChangeOrigin } from "../runtime-port.ts"
import type { PermissionAsk } from "../tool/tool.ts"
import type { Writ } from "./parse-writs.ts"

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

/** A result as models read it: `[/todo list]`, body, `[END TODO]`. */
export function framedResult(writ: Writ, body: string): string {
  const args = writ.args.replace(/\s+/g, " ")
  const head = args === "" ? `/${writ.verb}` : `/${writ.verb} ${args}`
  return `[${head}]\n${body}\n[END ${writ.verb.toUpperCase()}]`
}
