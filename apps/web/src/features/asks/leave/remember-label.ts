import { visibleText } from "@docket/core/rule"
import type { PermissionRequest } from "@docket/core/schema"

/** Permissions whose names are not words for what they allow. */
const permissionLabels: Record<string, string> = {
  bash: "commands",
  edit: "changes of files",
  external_directory: "places outside the project",
  doom_loop: "repeated calls",
  task: "tasks",
  read: "reads",
}

/** What a request's permission allows. */
export const rememberLabel = ({ permission }: PermissionRequest) =>
  permissionLabels[permission] ?? `uses of ${visibleText(permission)}`
