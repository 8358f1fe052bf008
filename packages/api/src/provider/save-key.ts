import { z } from "zod"
import { procedure } from "../trpc.ts"

const Input = z.object({ providerID: z.string().min(1).max(100), key: z.string().trim().min(1).max(10_000) })

export const saveKey = procedure.input(Input).mutation(async ({ ctx, input }): Promise<null> => {
  await ctx.runtime.provider.saveKey(input.providerID, input.key)
  return null
})
