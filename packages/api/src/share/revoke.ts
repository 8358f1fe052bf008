import { ShareID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { type PublicShare, toPublicShare } from "./public-share.ts"

export const revokeShare = procedure
  .input(z.object({ shareID: ShareID }))
  .mutation(async ({ ctx, input }): Promise<PublicShare> => {
    return toPublicShare(await ctx.runtime.share.revoke(input.shareID))
  })
