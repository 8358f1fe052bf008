import type { Stamp } from "../loop/stamp.ts"
import type { WritRunners } from "../loop/writ-runner.ts"
import type { PermissionDesk } from "../permission/desk.ts"

export interface WritsDeps extends Stamp {
  writs: WritRunners
  desk: Pick<PermissionDesk, "ask">
}
