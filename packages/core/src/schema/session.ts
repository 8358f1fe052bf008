import { z } from "zod"
import { ProjectID, SessionID } from "./ids.ts"
import { ModelRef, TokenUsage } from "./model.ts"
import { PermissionRuleset } from "./permission.ts"

export const SessionStatus = z.discriminatedUnion("type", [
  z.object({ type: z.literal("idle") }),
  z.object({ type: z.literal("busy") }),
  /** Waiting to call the provider again; `next` is epoch ms. */
  z.object({ type: z.literal("retry"), attempt: z.number().int(), message: z.string(), next: z.number() }),
])
export type SessionStatus = z.infer<typeof SessionStatus>

/**
 * A conversation with an agent on one project directory. Children point to their parent; `rootID`
 * names the tree, `depth` is 0 at the root. Times are epoch ms, cost is USD.
 */
export const Session = z.object({
  id: SessionID,
  projectID: ProjectID,
  parentID: SessionID.nullable(),
  rootID: SessionID,
  depth: z.number().int().nonnegative(),
  directory: z.string(),
  title: z.string(),
  agent: z.string(),
  model: ModelRef.nullable(),
  permission: PermissionRuleset,
  status: SessionStatus,
  cost: z.number().nonnegative(),
  tokens: TokenUsage,
  /** The call in the parent that made this child: a recovered parent re-attaches by it. */
  origin: z.object({ messageID: z.string(), callID: z.string() }).nullable(),
  /** Set when the tree was told to stop; no child may be created under it until the next prompt. */
  abortedAt: z.number().nullable(),
  time: z.object({ created: z.number(), updated: z.number(), archived: z.number().nullable() }),
})
export type Session = z.infer<typeof Session>
