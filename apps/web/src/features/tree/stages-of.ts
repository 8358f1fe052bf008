import type { Session } from "@docket/core/schema"

/** How far each session is: what it used grows with each step. */
export function stagesOf(sessions: Readonly<Record<string, Session>>): Record<string, string> {
  return Object.fromEntries(
    Object.values(sessions).map(({ id, status, tokens, revert }) => [
      id,
      [status.type, tokens.input + tokens.output, revert?.messageID, revert?.files.state].join(),
    ]),
  )
}
