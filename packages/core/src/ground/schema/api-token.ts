import { z } from "zod"
import { Caller } from "./caller.ts"
import { ApiTokenID } from "./ids.ts"

/** A bearer token of a tenant. The secret is stored only as its SHA-256 hash. Times are epoch ms. */
export const ApiToken = z.object({
  id: ApiTokenID,
  tenantID: z.string().min(1),
  /** What it is for, in its owner's words. */
  name: z.string().min(1).max(200),
  /** Who made it; none for who runs the service by its own token, and in rows of older versions. */
  by: Caller.optional(),
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** `used` is exact to a minute, null for one that nobody used. */
  time: z.object({ created: z.number(), used: z.number().nullable().default(null), revoked: z.number().nullable() }),
})
export type ApiToken = z.infer<typeof ApiToken>
