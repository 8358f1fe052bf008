import { z } from "zod"
import { Caller } from "./caller.ts"
import { SessionID, ShareID } from "./ids.ts"

/** The decision about a finding of the scan: show it, show a label instead, or leave out the row that contains it. */
export const ShareDecision = z.enum(["accept", "redact", "omit"])

/** Decisions by the digest of a finding, then by its rule; a finding without a decision is redacted. */
export const ShareDecisions = z.object({
  digests: z.record(z.string().max(100), ShareDecision),
  rules: z.record(z.string().max(200), ShareDecision),
})
export type ShareDecisions = z.infer<typeof ShareDecisions>

/** The choices of the owner of a share. Missing ones, also in rows of older versions, have their defaults. */
export const ShareOptions = z.object({
  /** Shown instead of the session's title. */
  title: z.string().trim().min(1).max(200).nullable().default(null),
  /** Whether the share follows the tree or stays as it was when it was made. */
  mode: z.enum(["live", "frozen"]).default("live"),
  /** Children that are left out, with everything below them. */
  left: z.array(SessionID).max(10_000).default([]),
  decisions: ShareDecisions.default({ digests: {}, rules: {} }),
  /**
   * The parts of the work that are shown besides texts: tool outputs, reasoning, files of prompts. `pictures` shows
   * pictures and PDFs among them, which no scan for secrets can read.
   */
  shows: z
    .object({
      outputs: z.boolean(),
      reasoning: z.boolean(),
      files: z.boolean(),
      pictures: z.boolean().default(false),
    })
    .default({ outputs: true, reasoning: true, files: true, pictures: false }),
  /** Epoch ms when the link stops working; null for never. */
  expires: z.number().nullable().default(null),
  /** Who may open the link: everybody who has it, or of these only people signed in to this workspace. */
  audience: z.enum(["link", "workspace"]).default("link"),
  /** Whether search engines may list the page. */
  indexed: z.boolean().default(false),
})
export type ShareOptions = z.infer<typeof ShareOptions>

/** A public, read-only copy of a session tree under a link. The secret is stored only as its SHA-256 hash. */
export const Share = ShareOptions.extend({
  id: ShareID,
  rootID: SessionID,
  secretHash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The key for the digests of findings; rows of older versions have none and use the hash of the secret. */
  digestKey: z.string().nullable().default(null),
  /** The hash of the password; null when the share has none. */
  passwordHash: z.string().nullable().default(null),
  /** Who made the share. */
  by: Caller.optional(),
  /** Who last changed or revoked the share. */
  edited: z.object({ by: Caller, at: z.number() }).nullable().default(null),
  /** Only in a revoked share: how often its page was opened, and when last (epoch ms). */
  seen: z.object({ views: z.number(), viewed: z.number().nullable() }).nullable().default(null),
  time: z.object({ created: z.number(), revoked: z.number().nullable() }),
})
export type Share = z.infer<typeof Share>

/** The minimum is that of OWASP. More than 200 characters would cost time to hash and add no protection. */
export const SharePassword = z.string().min(8, "a password has at least 8 characters").max(200)

/** A share as its owner's clients see it: without the hashes that guard it. */
export const ShareInfo = Share.omit({ secretHash: true, digestKey: true, passwordHash: true }).extend({
  hasPassword: z.boolean(),
})
export type ShareInfo = z.infer<typeof ShareInfo>
