import { callStatus } from "@docket/core/call-status"
import { noticeOf } from "@docket/core/message"
import { statusLabel } from "../../../ui/status.ts"
import { foldLabels } from "./fold-labels.ts"
import { resultsLabel } from "./notice-messages.ts"
import { promptHeading } from "./prompt-heading.ts"
import type { Row } from "./row.ts"

/** A row's accessible name in the feed. */
export function rowLabel(row: Row): string {
  switch (row.kind) {
    case "prompt":
      return promptHeading(row)
    case "part":
      if (row.part.type === "text") {
        const results = resultsLabel(row.part)
        if (noticeOf(row.part)?.kind === "window") return "Note of Docket"
        if (results !== null) return `Note: ${results.slice(0, 80)}`
      }
      if (row.part.type === "tool") return `${row.part.tool}, ${statusLabel[callStatus(row.part)].toLowerCase()}`
      return row.part.type === "reasoning" ? "Reasoning" : `Answer of ${row.agent}`
    case "lanes":
      return `${row.tasks.length} tasks side by side`
    case "fold":
      return foldLabels(row.parts).what
    case "compaction":
      return "Summary of earlier messages"
    case "retry":
      return row.over ? "Attempts that failed" : "Waiting to try again"
    case "error":
      return "Error"
    case "meta":
      return "End of the answer"
    case "waiting":
      return `${row.agent} is working`
  }
}
