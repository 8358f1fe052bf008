import type { Session } from "@docket/core/schema"

/** A key for the progress of each session, which changes with each step: its usage grows. */
export function stagesOf(sessions: Readonly<Record<string, Session>>): Record<string, string> {
  return Object.fromEntries(
    Object.values(sessions).map(({ id, status, tokens, revert }) => [
      id,
      [status.type, tokens.input + tokens.output, revert?.messageID, revert?.files.state].join(),
    ]),
  )
}
