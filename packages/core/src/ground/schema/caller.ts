import { z } from "zod"
import { ApiTokenID } from "./ids.ts"

/**
 * Who calls a use case: a person, and the workspace (the tenant) in which they act. Rows that a person causes carry it
 * as `by`; rows of older versions have none, and neither do rows that agents and the runtime cause by themselves.
 */
export const Caller = z.object({
  person: z.string().min(1),
  workspace: z.string().min(1),
  /** The name of the person at that time, kept when the account is gone; absent without accounts. */
  name: z.string().optional(),
})
export type Caller = z.infer<typeof Caller>

/** The role of a person in a workspace, highest first: each role may do everything that the later ones may. */
export const Role = z.enum(["owner", "admin", "member", "reviewer", "viewer"])
export type Role = z.infer<typeof Role>

/** A bearer token of a tenant. The secret is stored only as its SHA-256 hash. Times are epoch ms. */
export const ApiToken = z.object({
  id: ApiTokenID,
  tenantID: z.string().min(1),
  /** The purpose of the token, in its owner's words. */
  name: z.string().min(1).max(200),
  /** Who made the token; absent when it was made with the service's own token, and in rows of older versions. */
  by: Caller.optional(),
  tokenHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** `used` is exact to a minute, null for one that nobody used. */
  time: z.object({ created: z.number(), used: z.number().nullable().default(null), revoked: z.number().nullable() }),
})
export type ApiToken = z.infer<typeof ApiToken>
