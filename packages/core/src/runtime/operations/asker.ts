import { DocketError } from "../../ground/error/docket-error.ts"
import type { Caller, TodoActor } from "../../ground/schema/index.ts"
import type { Capability } from "./access-table.ts"

/** What is known of who asks, beside the caller. Nobody says it of calls that the service makes itself. */
export interface Asker {
  /** As whom they change todos. */
  actor: TodoActor
  may(capability: Capability): boolean
  /** One's own takes no more than the operation does, that of others the capability. @throws forbidden */
  requireOwn(by: Caller | undefined, capability: Capability): void
  /** Scheme, host and port of the links that they are told. */
  origin: string
  /** Writes down what the call is about beside what its input says; null where nothing is written down. */
  note: ((targets: Record<string, string>) => void) | null
}

/** The person at the browser, of whom nothing else is known. */
export function anybody(caller: Caller): Asker {
  return {
    actor: { kind: "user", name: "user" },
    may: () => false,
    requireOwn(by) {
      if (by?.person !== caller.person) throw new DocketError("forbidden", "It is somebody else's.")
    },
    origin: "",
    note: null,
  }
}
