import type { Notice, Part } from "../schema/index.ts"
import { renderLines } from "../writ/render-result.ts"
import { readOlderNotice } from "./older-notice.ts"

type CommandsNotice = Extract<Notice, { kind: "commands" }>

/** What Docket itself says in a part; null for all that others wrote, and for what is not said as data. */
export function noticeOf(part: Part): Notice | null {
  if (part.type !== "text" || part.synthetic !== true || part.addedBy !== undefined) return null
  return part.notice ?? readOlderNotice(part.text)
}

/** The same where it is about commands in text: begun, ended or broken off. */
export function commandsOf(part: Part): CommandsNotice | null {
  const notice = noticeOf(part)
  return notice?.kind === "commands" ? notice : null
}

/** Results of commands as plain text for people; empty while there are none. */
export function plainResults({ results }: CommandsNotice): string {
  return results
    .map(({ command, lines }) => [...(command === null ? [] : [command]), renderLines(lines)].join("\n"))
    .join("\n\n")
}
