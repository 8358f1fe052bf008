import type { Part } from "@docket/core/schema"
import { toolView } from "../tools/tool-view.ts"

/** What a link to one part shows. */
export interface Excerpt {
  /** The tool's name, or the kind of text. */
  kind: string
  text: string
  /** Whether it is shown as code. */
  isCode: boolean
}

/** The command, call or text of a part; null when the part has nothing to show. */
export function excerptOf(part: Part): Excerpt | null {
  switch (part.type) {
    case "text":
      return part.text.trim() === "" ? null : { kind: "message", text: part.text, isCode: false }
    case "reasoning":
      return part.text.trim() === "" ? null : { kind: "reasoning", text: part.text, isCode: false }
    case "tool": {
      const view = toolView(part)
      const command = view.body.kind === "terminal" ? view.body.command : null
      return { kind: view.tool, text: command ?? view.title, isCode: true }
    }
    default:
      return null
  }
}
