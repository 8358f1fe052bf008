import type { SearchHit } from "@docket/core"
import { shortTitle } from "@docket/core/session-title"

export function hitLabel({ kind, session, part, root }: SearchHit): string {
  switch (kind) {
    case "title":
      return "Session"
    case "child":
      return `Subagent ${session.agent} of ${shortTitle(root)}`
    case "prompt":
      return `Prompt in ${shortTitle(session)}`
    case "answer":
      return `Answer in ${shortTitle(session)}`
    case "tool":
      return `${part?.tool ?? "Call"}${part?.state === "failed" ? ", failed," : ""} in ${shortTitle(session)}`
  }
}
