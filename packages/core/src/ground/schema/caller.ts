import { z } from "zod"
import { ApiTokenID } from "./ids.ts"

/**
 * Who calls a use case: a person, and the workspace (the tenant) whose things they work on. What people cause carries
 * it as `by`; rows of older versions, and what agents and the runtime do by themselves, have none.
 */
export const Caller = z.object({
  person: z.string().min(1),
  workspace: z.string().min(1),
  /** What they were called then, which outlasts their account here; none without accounts. */
  name: z.string().optional(),
})
export type Caller = z.infer<typeof Caller>

/** What somebody is in a workspace, from most to least: each may do all that those after it may. */
export const Role = z.enum(["owner", "admin", "member", "reviewer", "viewer"])
export type Role = z.infer<typeof Role>

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
