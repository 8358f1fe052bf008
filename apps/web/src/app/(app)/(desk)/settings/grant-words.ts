import type { ListedGrant } from "@docket/core"
import { visibleText } from "@docket/core/rule"

/** Where a grant counts, in words. */
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
