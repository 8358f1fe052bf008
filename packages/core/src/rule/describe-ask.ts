import type { PermissionRequest } from "../schema/index.ts"
import { visibleText } from "./visible-text.ts"

/** What a request asks leave for, in words for people; every character is seen (`visibleText`). */
export interface AskDescription {
  /** The tool, or the right, that is asked for. */
  tool: string
  /** Empty where the command says it all. */
  title: string
  command: string | null
  /** Unified diff. */
  diff: string | null
}

type Ask = Pick<PermissionRequest, "permission" | "patterns" | "metadata">

/** A request as front ends draw it. One of a kind that a newer server knows falls back to its patterns. */
export function describeAsk({ permission, patterns, metadata }: Ask): AskDescription {
  const names = patterns.join(", ")
  const { tool = permission, title, command, diff } = wordsOf(metadata, names)
  const shown = (text: string | undefined) => (text?.trim() ? visibleText(text) : null)
  return {
    tool: visibleText(tool),
    title: shown(title) ?? (shown(command) === null ? visibleText(names) : ""),
    command: shown(command),
    diff: shown(diff),
  }
}

interface Words {
  tool?: string
  title?: string | undefined
  command?: string
  diff?: string
}

/** `names`: the patterns, which name a file by each name that a change of it goes through. */
function wordsOf(metadata: Ask["metadata"], names: string): Words {
  switch (metadata.kind) {
    case "command":
      return { title: metadata.description, command: metadata.command }
    case "change":
      return metadata.diffOmitted ? { title: `${names} (${linesOf(metadata)})` } : { diff: metadata.diff }
    case "files":
      return { title: metadata.files.join(", ") }
    case "path":
      return { title: metadata.path }
    case "search": {
      const { pattern, path, include } = metadata
      return { title: [pattern, path && `in ${path}`, include && `(${include})`].filter(Boolean).join(" ") }
    }
    case "task":
      return { tool: metadata.tool, title: `@${metadata.agent}: ${metadata.description}` }
    case "repeat":
      return {
        tool: metadata.tool,
        title: `${metadata.tool} was called ${metadata.times} times with the same input`,
      }
    case "schedule":
      return { command: metadata.command }
    case "other":
      return { title: metadata.title }
    default:
      metadata satisfies never
      return {}
  }
}

function linesOf({ additions, deletions }: { additions: number; deletions: number }): string {
  return `+${additions} −${deletions} lines, too many to show`
}
