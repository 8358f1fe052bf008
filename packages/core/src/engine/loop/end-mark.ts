import type { Part } from "../../ground/schema/index.ts"

/** What the metadata of a call says after which its turn is over. */
export const endMark = { ends: true } as const

/** Whether a turn is over with this call, also when a crash came before its end was stored. */
export function endsTurn(part: Part): boolean {
  return part.type === "tool" && part.state.status === "completed" && part.state.metadata.ends === true
}
