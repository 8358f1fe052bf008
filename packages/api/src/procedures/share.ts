import { SessionID, ShareID } from "@docket/core/schema"
import { z } from "zod"
import { procedure, router } from "../trpc.ts"

const RootInput = z.object({ rootID: SessionID })

export const shareRouter = router({
  /** Makes a public read-only link to a tree. The link is shown only now: the store keeps a hash of its secret. */
  create: procedure.input(RootInput).mutation(async ({ ctx, input }): Promise<{ id: string; url: string }> => {
    const { share, secret } = await ctx.runtime.share.create(input.rootID)
    return { id: share.id, url: `${ctx.origin}/share/${secret}` }
  }),

  list: procedure.input(RootInput).query(({ ctx, input }) => ctx.runtime.share.list(input.rootID)),

  revoke: procedure
    .input(z.object({ shareID: ShareID }))
    .mutation(({ ctx, input }) => ctx.runtime.share.revoke(input.shareID)),
})
