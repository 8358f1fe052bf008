import { SessionID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** Makes a public read-only link to a tree. The link is shown only now: the store keeps a hash of its secret. */
export const createShare = procedure
  .input(z.object({ rootID: SessionID }))
  .mutation(async ({ ctx, input }): Promise<{ id: string; url: string }> => {
    const { share, secret } = await ctx.runtime.share.create(input.rootID)
    return { id: share.id, url: `${ctx.origin}/share/${secret}` }
  })
