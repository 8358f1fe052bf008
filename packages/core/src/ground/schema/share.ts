import { z } from "zod"
import { Caller } from "./caller.ts"
import { SessionID, ShareID } from "./ids.ts"

/** What becomes of a finding of the scan: it is shown, its label is, or the row that holds it is left out. */
export const ShareDecision = z.enum(["accept", "redact", "omit"])

/** By the digest of a finding, then by its rule; what nobody decided on is redacted. */
export const ShareDecisions = z.object({
  digests: z.record(z.string().max(100), ShareDecision),
  rules: z.record(z.string().max(200), ShareDecision),
})
export type ShareDecisions = z.infer<typeof ShareDecisions>

/** What its owner chooses of a share. What is left out, also by rows of older versions, has its default. */
export const ShareOptions = z.object({
  /** In the place of the session's title. */
  title: z.string().trim().min(1).max(200).nullable().default(null),
  /** Whether it follows the tree, or stays as it was when it was made. */
  mode: z.enum(["live", "frozen"]).default("live"),
  /** Children that are left out, with everything below them. */
  left: z.array(SessionID).max(10_000).default([]),
  decisions: ShareDecisions.default({ digests: {}, rules: {} }),
  /** What of the work is shown besides words: what tools put out, thoughts, files of prompts. */
  shows: z
    .object({ outputs: z.boolean(), reasoning: z.boolean(), files: z.boolean() })
    .default({ outputs: true, reasoning: true, files: true }),
  /** Epoch ms from which on it is dead; null for never. */
  expires: z.number().nullable().default(null),
  /** Who may open it, with the link in hand: anyone, or who is signed in to this workspace. */
  audience: z.enum(["link", "workspace"]).default("link"),
  /** Whether search engines may list it. */
  indexed: z.boolean().default(false),
})
export type ShareOptions = z.infer<typeof ShareOptions>

/** A public, read-only copy of a session tree under a link. The secret is stored only as its SHA-256 hash. */
export const Share = ShareOptions.extend({
  id: ShareID,
  rootID: SessionID,
  secretHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The key of the digests of its findings; rows of older versions have none and take the hash. */
  digestKey: z.string().nullable().default(null),
  /** The hash of its password; null for none. */
  passwordHash: z.string().nullable().default(null),
  /** Who made it. */
  by: Caller.optional(),
  /** Who changed it last, or revoked it. */
  edited: z.object({ by: Caller, at: z.number() }).nullable().default(null),
  /** Of one that was revoked: how often its page was opened, and when last (epoch ms). */
  seen: z.object({ views: z.number(), viewed: z.number().nullable() }).nullable().default(null),
  time: z.object({ created: z.number(), revoked: z.number().nullable() }),
})
export type Share = z.infer<typeof Share>

/** At least as long as OWASP asks of any password; longer than 200 costs time and guards nothing. */
export const SharePassword = z.string().min(8, "a password has at least 8 characters").max(200)

/** A link as its owner's clients see it: without what lets somebody in. */
export const ShareInfo = Share.omit({ secretHash: true, digestKey: true, passwordHash: true }).extend({
  hasPassword: z.boolean(),
})
export type ShareInfo = z.infer<typeof ShareInfo>
