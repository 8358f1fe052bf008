import type { PermissionConfig } from "../../ground/schema/index.ts"

/** The agent of plan mode. */
export const planAgent = "plan"
/** The agent that carries a plan out. */
export const buildAgent = "build"

/** Where plans lie in a project with git, relative to its worktree. */
export const planDirectory = ".docket/plans"
/** The plan files that rules name before they know which is the session's own. */
export const planFiles = `${planDirectory}/*.md`

/** What holds in plan mode: no file but the plan, and no command but those that are known only to read. */
export const planLimits = {
  edit: { "*": "deny", [planFiles]: "allow" },
  bash_change: "deny",
} as const satisfies PermissionConfig
