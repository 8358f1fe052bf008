import { SessionID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"
import { type PublicShare, toPublicShare } from "./public-share.ts"

export const listShares = procedure
  .input(z.object({ rootID: SessionID }))
  .query(async ({ ctx, input }): Promise<PublicShare[]> => {
    return (await ctx.runtime.share.list(input.rootID)).map(toPublicShare)
  })
