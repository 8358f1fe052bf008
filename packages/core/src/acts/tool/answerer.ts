import type { Caller } from "../../ground/schema/index.ts"

/** Who answered a call, as its metadata says it; nothing when nobody is known. */
export function answerer(by: Caller | undefined): { by?: string; byName?: string } {
  return { ...(by && { by: by.person }), ...(by?.name !== undefined && { byName: by.name }) }
}
