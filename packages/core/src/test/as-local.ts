import { type Caller, localPerson } from "../ground/schema/index.ts"
import type { CallerServices } from "../runtime/caller-services.ts"
import type { Runtime } from "../runtime/runtime.ts"

export const localCaller: Caller = { person: localPerson, workspace: "local" }

interface RuntimeWithServices {
  runtime: Runtime
  servicesOf(caller: Caller): CallerServices
}

export type LocalRuntime = Runtime & CallerServices

/** A runtime with the services of its only user, for tests of the services. Tests of access rights use `as` instead. */
export function asLocal({ runtime, servicesOf }: RuntimeWithServices): LocalRuntime {
  return { ...runtime, ...servicesOf(localCaller) }
}
