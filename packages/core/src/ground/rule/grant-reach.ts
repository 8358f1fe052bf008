import type { GrantScope } from "../schema/permission.ts"
import { isReadOfCommand } from "./command-reads.ts"
import { namesConfig } from "./config-files.ts"

/** How far "always" may reach, and why not further. */
export interface GrantReach {
  furthest: GrantScope
  why: string | null
}

/** The scopes, the narrowest first. */
export const grantScopes = ["task", "tree", "project", "everywhere"] as const satisfies GrantScope[]

const reach = (furthest: GrantScope, why: string): GrantReach => ({ furthest, why })

/** How far what is allowed of a permission for these patterns may reach. */
export function grantReach(permission: string, patterns: readonly string[]): GrantReach {
  switch (permission) {
    case "sandbox":
      return reach("project", "Outside the sandbox a command has all your rights, so it is allowed project by project.")
    case "doom_loop":
      return reach("tree", "Whether a repeated call is of use is a matter of the session in which it repeats.")
    case "question":
    case "plan_enter":
    case "plan_exit":
      return reach("tree", "It asks for your decision in this session, not for a right.")
    case "read":
      if (patterns.some(isReadOfCommand))
        return reach(
          "project",
          "The same words run other programs in another project, so it is allowed project by project.",
        )
      break
    case "edit":
      if (patterns.some(namesConfig))
        return reach(
          "tree",
          "Docket's configuration says what agents may do: changing it is allowed session by session.",
        )
  }
  return { furthest: "everywhere", why: null }
}

export function reaches({ furthest }: GrantReach, scope: GrantScope): boolean {
  return grantScopes.indexOf(scope) <= grantScopes.indexOf(furthest)
}
