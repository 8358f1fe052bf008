import { visibleText } from "@docket/core/rule"
import type { PermissionRequest } from "@docket/core/schema"

/** Labels for permissions whose names do not explain themselves. */
const permissionLabels: Record<string, string> = {
  bash: "commands",
  edit: "changes of files",
  external_directory: "places outside the project",
  doom_loop: "repeated calls",
  task: "tasks",
  read: "reads",
  acp: "calls of the program's own tools",
}

/** Names what a request's permission allows. */
export const rememberLabel = ({ permission }: PermissionRequest) =>
  permissionLabels[permission] ?? `uses of ${visibleText(permission)}`
