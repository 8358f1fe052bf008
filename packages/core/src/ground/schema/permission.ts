import { z } from "zod"
import { Caller } from "./caller.ts"
import { MessageID, PermissionID, SessionID } from "./ids.ts"
import { PermissionMetadata } from "./permission-metadata.ts"
import { PermissionPreset } from "./permission-preset.ts"
import { QuestionAnswer } from "./question.ts"

export const PermissionAction = z.enum(["allow", "deny", "ask"])
export type PermissionAction = z.infer<typeof PermissionAction>

/** One rule. `permission` and `pattern` are wildcards (`*`, `?`). The last matching rule of a list decides. */
export const PermissionRule = z.object({
  permission: z.string(),
  pattern: z.string(),
  action: PermissionAction,
  /** It would allow, if all of the configuration could be read. */
  heldBack: z.literal(true).optional(),
  /** It is of a project's own configuration that nobody trusts: only an answer given there lifts it. */
  untrusted: z.literal(true).optional(),
  /** The preset of a session that it comes of. */
  preset: PermissionPreset.optional(),
  /** It is what the mode of the agent forbids, whatever else the user allows. */
  mode: z.literal("plan").optional(),
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

/**
 * How far "always" reaches: the session that asks and those below it, its tree, all sessions of its project, or those of
 * every project.
 */
export const GrantScope = z.enum(["task", "tree", "project", "everywhere"])
export type GrantScope = z.infer<typeof GrantScope>

/** What "always" allows from now on: in one session and those below it, or, without one, in the whole tree and `beyond`. */
export const PermissionMemory = z.object({
  patterns: z.array(z.string()),
  sessionID: SessionID.nullable(),
  beyond: GrantScope.extract(["project", "everywhere"]).optional(),
})
export type PermissionMemory = z.infer<typeof PermissionMemory>

/**
 * A stored question to the user, shown at the root of the tree: may this tool call go on? Or, when its metadata is an
 * `Inquiry`, what an agent wants to know.
 */
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
  /** Those of `patterns` some of whose words are known only when it runs. */
  unknown: z.array(z.string()).optional(),
  metadata: PermissionMetadata,
  /** Older rows have none. */
  reasons: z.array(PermissionReason).optional(),
  /** An inquiry is `answered` or `dismissed`, and `rejected` only together with a request of its session. */
  status: z.enum(["pending", "once", "always", "answered", "dismissed", "rejected", "expired"]),
  /** The user's words with a rejection or a dismissal. */
  message: z.string().nullable(),
  /** Who answered it. */
  by: Caller.optional(),
  /** What was allowed for good with the answer "always"; in older rows that is `always`, in the whole tree. */
  remembered: PermissionMemory.optional(),
  /** Of an inquiry, one for each question. */
  answers: z.array(QuestionAnswer).optional(),
  /** The call has gone on with its leave. */
  taken: z.literal(true).optional(),
  time: z.object({ created: z.number(), replied: z.number().nullable() }),
})
export type PermissionRequest = z.infer<typeof PermissionRequest>
