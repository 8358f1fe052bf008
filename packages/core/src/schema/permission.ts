import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageID, PermissionID, SessionID } from "./ids.ts"
import { PermissionMetadata } from "./permission-metadata.ts"

export const PermissionAction = z.enum(["allow", "deny", "ask"])
export type PermissionAction = z.infer<typeof PermissionAction>

/** One rule. `permission` and `pattern` are wildcards (`*`, `?`). The last matching rule of a list decides. */
export const PermissionRule = z.object({
  permission: z.string(),
  pattern: z.string(),
  action: PermissionAction,
  /** It would allow, if all of the configuration could be read. */
  heldBack: z.literal(true).optional(),
})
export type PermissionRule = z.infer<typeof PermissionRule>

export const PermissionRuleset = z.array(PermissionRule)
export type PermissionRuleset = z.infer<typeof PermissionRuleset>

/** The short form in config: `"allow"`, or `{ bash: "ask", edit: { "*.md": "allow", "*": "deny" } }`. */
export const PermissionConfig = z.union([
  PermissionAction,
  z.record(z.string(), z.union([PermissionAction, z.record(z.string(), PermissionAction)])),
])
export type PermissionConfig = z.infer<typeof PermissionConfig>

export const PermissionReply = z.enum(["once", "always", "reject"])
export type PermissionReply = z.infer<typeof PermissionReply>

/**
 * Why some patterns of a request are asked: a rule says so (`rule`), allows but is held back because configuration
 * cannot be read (`unreadable`), no rule covers them (`unset`), they are Docket's configuration, which a rule has to
 * name (`configuration`), or they are known only when it runs (`unknown`).
 */
export const PermissionReason = z.object({
  why: z.enum(["rule", "unreadable", "unset", "configuration", "unknown"]),
  patterns: z.array(z.string()),
  /** The rule that decided, where there is one. */
  rule: PermissionRule.optional(),
})
export type PermissionReason = z.infer<typeof PermissionReason>

/** What "always" allows from now on: in one session and those below it, or in the whole tree (null). */
export const PermissionMemory = z.object({ patterns: z.array(z.string()), sessionID: SessionID.nullable() })
export type PermissionMemory = z.infer<typeof PermissionMemory>

/** A stored question to the user: may this tool call go on? Shown at the root of the tree. */
export const PermissionRequest = z.object({
  id: PermissionID,
  rootID: SessionID,
  sessionID: SessionID,
  messageID: MessageID.nullable(),
  callID: z.string().nullable(),
  permission: z.string(),
  patterns: z.array(z.string()),
  /** Patterns that "always" offers to allow. */
  always: z.array(z.string()),
  metadata: PermissionMetadata,
  /** Older rows have none. */
  reasons: z.array(PermissionReason).optional(),
  status: z.enum(["pending", "once", "always", "rejected", "expired"]),
  /** The user's words with a rejection. */
  message: z.string().nullable(),
  /** Who answered it. */
  by: Caller.optional(),
  /** What was allowed for good with the answer "always"; in older rows that is `always`, in the whole tree. */
  remembered: PermissionMemory.optional(),
  time: z.object({ created: z.number(), replied: z.number().nullable() }),
})
export type PermissionRequest = z.infer<typeof PermissionRequest>
