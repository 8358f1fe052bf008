import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageID, PermissionID, SessionID } from "./ids.ts"
import { PermissionMetadata } from "./permission-metadata.ts"

export const PermissionAction = z.enum(["allow", "deny", "ask"])
export type PermissionAction = z.infer<typeof PermissionAction>

/** One rule. `permission` and `pattern` are wildcards (`*`, `?`). The last matching rule of a list decides. */
export const PermissionRule = z.object({ permission: z.string(), pattern: z.string(), action: PermissionAction })
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

/** A stored question to the user: may this tool call go on? Shown at the root of the tree. */
export const PermissionRequest = z.object({
  id: PermissionID,
  rootID: SessionID,
  sessionID: SessionID,
  messageID: MessageID.nullable(),
  callID: z.string().nullable(),
  permission: z.string(),
  patterns: z.array(z.string()),
  /** Patterns that "always" would allow for this session. */
  always: z.array(z.string()),
  metadata: PermissionMetadata,
  status: z.enum(["pending", "once", "always", "rejected", "expired"]),
  /** The user's words with a rejection. */
  message: z.string().nullable(),
  /** Who answered it. */
  by: Caller.optional(),
  time: z.object({ created: z.number(), replied: z.number().nullable() }),
})
export type PermissionRequest = z.infer<typeof PermissionRequest>
