import { z } from "zod"
import { procedure } from "../trpc.ts"

export const removeKey = procedure
  .input(z.object({ providerID: z.string().min(1).max(100) }))
  .mutation(async ({ ctx, input }): Promise<null> => {
    await ctx.runtime.provider.removeKey(input.providerID)
    return null
  })
