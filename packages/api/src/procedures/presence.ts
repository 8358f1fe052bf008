import { notRecorded } from "@docket/core/operations"
import { type Presence, ViewerTab } from "@docket/core/schema"
import { allowed, router } from "../trpc.ts"
import { SessionInput } from "./input.ts"

export const presenceRouter = router({
  /** Who reads the tree of a session now. Subscribers of the tree are told by `presence.updated`. */
  of: allowed("read")
    .input(SessionInput)
    .query(({ ctx, input }): Promise<Presence> => ctx.runtime.presence.of(input.sessionID)),

  /** What a tab shows from now on; it is one that subscribed as a `viewer`. `present: false` when it follows no such tree. */
  at: allowed("read", notRecorded("where somebody reads is told while they do, and not kept"))
    .input(ViewerTab)
    .mutation(async ({ ctx, input }): Promise<{ present: boolean }> => {
      return { present: await ctx.runtime.presence.at(input) }
    }),
})
