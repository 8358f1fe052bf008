import type { PermissionMetadata } from "../schema/index.ts"

/** What a tool asks leave for. `patterns` are judged one by one; `always` is what "always" would allow. */
export interface PermissionAsk {
  permission: string
  patterns: string[]
  always: string[]
  /** A function is called when somebody is asked: what it looks up costs nothing where a rule answers. */
  metadata: PermissionMetadata | (() => Promise<PermissionMetadata>)
}
