import type { ListedGrant } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { askedLabel } from "./rule-labels.ts"

const anything: Record<string, string> = {
  bash: "run any command",
  edit: "change any file",
  external_directory: "use any file outside the project",
  read: "read any file",
}

/** What a grant allows: its action, and the patterns it applies to; empty when it applies to everything. */
export function grantAct({ permission, patterns }: Pick<ListedGrant, "permission" | "patterns">): {
  words: string
  patterns: string[]
} {
  if (permission === "left_behind")
    return {
      words: "leave, as a command left it:",
      patterns: patterns.map((pattern) => visibleText(leftName(pattern))),
    }
  if (patterns.includes("*"))
    return { words: anything[permission] ?? `${askedLabel(permission)}: anything`, patterns: [] }
  return { words: askedLabel(permission), patterns: patterns.map(visibleText) }
}

/** The file name in a pattern like `.vscode <id of its content>`. */
function leftName(pattern: string): string {
  return pattern.replace(/ [0-9a-f]{32}$/, "")
}

/** Where a grant applies, in words. */
export function reachOf({ scope, project }: Pick<ListedGrant, "scope" | "project">): string {
  const name = project === null ? "a project that is gone" : visibleText(project.name)
  switch (scope) {
    case "everywhere":
      return "In every project"
    case "project":
      return `In ${name}`
    case "tree":
      return `In one session of ${name}`
    case "task":
      return `In one task of ${name}`
    default:
      return scope satisfies never
  }
}
