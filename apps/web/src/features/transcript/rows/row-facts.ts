import { commandsOf } from "@docket/core/message"
import type { Part } from "@docket/core/schema"
import type { Row } from "./row.ts"

/** When what the row shows began, or for the end of an answer, ended (epoch ms); null when unknown. */
export function rowTime(row: Row): number | null {
  switch (row.kind) {
    case "prompt":
      return row.message.time.created
    case "part":
      return partTime(row.part)
    case "lanes":
      return firstTime(row.tasks)
    case "fold":
      return firstTime(row.parts)
    case "retry":
      return row.parts[0]?.time.created ?? null
    case "error":
    case "meta":
      return row.message.time.completed
    case "waiting":
    case "compaction":
      return null
  }
}

/** The session whose agent did what the row shows; null for texts of users and of Docket. */
export function sessionOf(row: Row): string | null {
  switch (row.kind) {
    case "part":
      return row.part.sessionID
    case "lanes":
      return row.tasks[0]?.sessionID ?? null
    case "fold":
      return row.parts[0]?.sessionID ?? null
    default:
      return null
  }
}

/** The target of a link to the row, as in "the link to this answer". */
export function linkedThing(row: Row): string {
  switch (row.kind) {
    case "prompt":
      return "this prompt"
    case "fold":
      return "these calls"
    case "lanes":
      return "these tasks"
    case "retry":
      return "this attempt"
    case "compaction":
      return "this summary"
    case "part":
      if (row.part.type === "tool") return `this call of ${row.part.tool}`
      if (row.part.type === "reasoning") return "this reasoning"
      return row.part.type === "text" ? "this answer" : "this part"
    default:
      return "this row"
  }
}

/** Shorter answers get no copy button: selecting them is as quick (UTF-16 units). */
const worthCopying = 120

/** The full text of an answer, for copying; null for other rows, and while the answer is streaming. */
export function answerText(row: Row): string | null {
  if (row.kind !== "part" || row.part.type !== "text" || row.streaming) return null
  const { text } = row.part
  return commandsOf(row.part) === null && text.length >= worthCopying ? text : null
}

function firstTime(parts: readonly Part[]): number | null {
  return parts[0] === undefined ? null : partTime(parts[0])
}

function partTime(part: Part): number | null {
  switch (part.type) {
    case "tool":
      return part.state.status === "pending" ? null : part.state.time.start
    case "text":
    case "reasoning":
      return part.time?.start ?? null
    default:
      return null
  }
}
