import type { PermissionMetadata } from "../schema/index.ts"

/** What a tool asks leave for. `patterns` are judged one by one; `always` is what "always" would allow. */
export interface PermissionAsk {
  permission: string
  patterns: string[]
  always: string[]
  metadata: PermissionMetadata
}
