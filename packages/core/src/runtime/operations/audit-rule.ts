import type { AuditAct } from "../../ground/schema/index.ts"

/** What is written down of a call that was made. Ids of Docket in its input and answer are, whatever they are called. */
export interface RecordedAct {
  act: AuditAct
  /** A name of the input, and which other act its values make of the call. */
  choice?: { name: string; acts: Readonly<Record<string, AuditAct>> }
  /** Names of the input whose values say what it was done to, beside those ids: of people, keys, numbers. */
  targets?: readonly string[]
  /** Names of the input whose values are choices: never texts that people wrote, nor secrets. */
  facts?: readonly string[]
  /** Such names of the answer: what came of it. */
  results?: readonly string[]
}

/** Why nothing is written down of a call that changes something. */
export interface NotRecorded {
  because: string
}

export type AuditRule = RecordedAct | NotRecorded

/** Says that a call is written down, and what of it. */
export function records(act: AuditAct, picked: Omit<RecordedAct, "act"> = {}): RecordedAct {
  return { act, ...picked }
}

/** Says that a call is not written down, and why. */
export function notRecorded(because: string): NotRecorded {
  return { because }
}
