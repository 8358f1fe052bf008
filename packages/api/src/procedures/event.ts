import { EditorReader, SessionID, ViewerTab } from "@docket/core/schema"
import { tracked } from "@trpc/server"
import { z } from "zod"
import { requireAccess } from "../access/may.ts"
import { followTree } from "../event/follow-tree.ts"
import { allowed, router } from "../trpc.ts"

const SubscribeInput = z.object({
  rootID: SessionID.optional(),
  since: z.number().int().nonnegative().optional(),
  others: z.boolean().optional(),
  /** Shows the caller to other readers of the tree while the subscription lasts. `presence.at` changes their place. */
  viewer: ViewerTab.optional(),
  /**
   * The caller's editor is asked about the tree while the subscription lasts: for texts that it has not saved, and to run
   * commands. It counts only for whoever began the tree. See `editor.answer`.
   */
  editor: EditorReader.optional(),
  /** Set by the client when it reconnects. */
  lastEventId: z.string().nullish(),
})

export const eventRouter = router({
  /** Follows a tree from a sequence number on, without gaps or repeats when you reconnect. */
  subscribe: allowed("read")
    .input(SubscribeInput)
    .subscription(async function* ({ ctx, input, signal }) {
      const { rootID, since, others = false, viewer, editor } = input
      const query = { rootID, since, others, viewer, editor, lastEventID: input.lastEventId ?? undefined }
      // An editor answers, and a command may run there.
      if (editor !== undefined) requireAccess(ctx.identity, "prompt")
      // A call without a connection has no signal and lives until its reader stops.
      const end = signal ?? new AbortController().signal
      for await (const [cursor, item] of followTree(ctx.runtime, query, end)) yield tracked(cursor, item)
    }),
})
