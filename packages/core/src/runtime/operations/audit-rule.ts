import type { AuditAct } from "../../ground/schema/index.ts"

/** What is recorded of a call that was made. Docket's ids in its input and answer always are. */
export interface RecordedAct {
  act: AuditAct
  /** A field of the input, and the other act that each of its values makes of the call. */
  choice?: { name: string; acts: Readonly<Record<string, AuditAct>> }
  /** Fields of the input that say what the call changed, in addition to Docket's ids: people, keys, numbers. */
  targets?: readonly string[]
  /** Fields of the input that are choices: never texts that people wrote, and never secrets. */
  facts?: readonly string[]
  /** Fields of the answer that are choices and say what the call did. */
  results?: readonly string[]
}

/** Why a call that changes something is not recorded. */
export interface NotRecorded {
  because: string
}

export type AuditRule = RecordedAct | NotRecorded

/** Makes the rule of a call that is recorded. */
export function records(act: AuditAct, picked: Omit<RecordedAct, "act"> = {}): RecordedAct {
  return { act, ...picked }
}

/** Makes the rule of a call that is not recorded, with the reason. */
export function notRecorded(because: string): NotRecorded {
  return { because }
}
