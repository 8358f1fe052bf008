import type { Share } from "@docket/core/schema"

/** A share as clients see it: without the hash of its secret. */
export interface PublicShare {
  id: string
  rootID: string
  time: { created: number; revoked: number | null }
}

export function toPublicShare({ id, rootID, time }: Share): PublicShare {
  return { id, rootID, time }
}
