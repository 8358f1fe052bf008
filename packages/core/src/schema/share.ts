import { z } from "zod"
import { Caller } from "./caller.ts"
import { SessionID, ShareID } from "./ids.ts"

/** A public, read-only link to a session tree. The secret is stored only as its SHA-256 hash. */
export const Share = z.object({
  id: ShareID,
  rootID: SessionID,
  secretHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** Who made it. */
  by: Caller.optional(),
  time: z.object({ created: z.number(), revoked: z.number().nullable() }),
})
export type Share = z.infer<typeof Share>

/** A link as its owner's clients see it: without the hash of its secret. */
export const ShareInfo = Share.omit({ secretHash: true })
export type ShareInfo = z.infer<typeof ShareInfo>
