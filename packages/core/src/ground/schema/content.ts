import { z } from "zod"
import { ContentHash } from "./attachment.ts"
import { ContentID, SessionID } from "./ids.ts"

/**
 * What a content is: a file of a person or a tool, a long output, a long answer of a task, a plan, or the objects of a snapshot
 * that no earlier one of its tree has.
 */
export const ContentKind = z.enum(["attachment", "output", "answer", "plan", "snapshot"])
export type ContentKind = z.infer<typeof ContentKind>

/** Says that a session has a content in the store that nodes share. What no such row names is removed there. */
export const Content = z.object({
  id: ContentID,
  rootID: SessionID,
  sessionID: SessionID,
  kind: ContentKind,
  /** Names it within its session and kind: a hash, or the name of a file. */
  name: z.string(),
  hash: ContentHash,
  /** Bytes. */
  size: z.number().int().nonnegative(),
  /** False while only the host that made it has it. */
  isStored: z.boolean(),
  time: z.object({ created: z.number() }),
})
export type Content = z.infer<typeof Content>
