import type { PermissionDesk } from "../../acts/permission/desk.ts"
import type { Stamp } from "../loop/stamp.ts"
import type { WritRunners } from "../loop/writ-runner.ts"

export interface WritsDeps extends Stamp {
  writs: WritRunners
  desk: Pick<PermissionDesk, "ask">
}
