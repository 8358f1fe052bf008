import { DocketError } from "../../ground/error/docket-error.ts"
import type { Caller, TodoActor } from "../../ground/schema/index.ts"
import type { Capability } from "./access-table.ts"

/** What is known about the asker besides the caller. Calls of the service itself leave it out. */
export interface Asker {
  /** Whose name the changes of todos have. */
  actor: TodoActor
  may(capability: Capability): boolean
  /** Requires the capability only for what belongs to somebody else. @throws forbidden */
  requireOwn(by: Caller | undefined, capability: Capability): void
  /** Scheme, host and port for the links in answers. */
  origin: string
  /** Records what the call is about, in addition to its input. Null where nothing is recorded. */
  note: ((targets: Record<string, string>) => void) | null
  /** Aborts when nobody waits for the answer any more. Null where somebody always does. */
  signal: AbortSignal | null
}

/** The person at the browser, when nothing else is known about them. */
export function anybody(caller: Caller): Asker {
  return {
    actor: { kind: "user", name: "user" },
    may: () => false,
    requireOwn(by) {
      if (by?.person !== caller.person) throw new DocketError("forbidden", "It is somebody else's.")
    },
    origin: "",
    note: null,
    signal: null,
  }
}
