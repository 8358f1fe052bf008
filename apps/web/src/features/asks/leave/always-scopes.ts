import { grantReach, reaches } from "@docket/core/rule"
import type { GrantScope, PermissionRequest } from "@docket/core/schema"

/** Scopes of "always" that reach beyond the asking task. */
export type WideScope = Exclude<GrantScope, "task">

/** Labels after "Always": on the button, or in the list beside it if there is a choice. */
export const scopeLabels: Record<WideScope, string> = {
  tree: "for this session",
  project: "in this project",
  everywhere: "in every project",
}

/** The scopes in which a request may be allowed, narrowest first. */
export function wideScopes({ permission, patterns, always }: PermissionRequest): WideScope[] {
  const reach = grantReach(permission, [...patterns, ...always])
  return (["tree", "project", "everywhere"] as const).filter((scope) => reaches(reach, scope))
}

/** Describes where the answer will apply. */
export function reachMessage(scope: WideScope): string {
  switch (scope) {
    case "tree":
      return "in this session and its subagents"
    case "project":
      return "in all sessions of this project, later ones too, until you revoke it in Settings"
    case "everywhere":
      return "in all sessions of every project, later ones too, until you revoke it in Settings"
    default:
      return scope satisfies never
  }
}

/** Why the request cannot be allowed in a wider scope; null when it can be allowed everywhere. */
export function boundMessage({ permission, patterns, always }: PermissionRequest): string | null {
  return grantReach(permission, [...patterns, ...always]).why
}
