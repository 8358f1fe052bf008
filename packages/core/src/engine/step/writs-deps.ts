import type { PermissionBroker } from "../../acts/permission/permission-broker.ts"
import type { Stamp } from "../loop/stamp.ts"
import type { WritRunners } from "../loop/writ-runner.ts"

export interface WritsDeps extends Stamp {
  writs: WritRunners
  broker: Pick<PermissionBroker, "ask">
}
