import { type Caller, localPerson } from "../ground/schema/index.ts"
import type { Runtime, UseCases } from "../runtime/runtime.ts"

export const localCaller: Caller = { person: localPerson, workspace: "local" }

export type LocalRuntime = Runtime & UseCases

/** The runtime with the use cases of its one user. */
export function asLocal(runtime: Runtime): LocalRuntime {
  return { ...runtime, ...runtime.as(localCaller) }
}
