import { procedure } from "../trpc.ts"

/** Looks again for model servers on this machine. */
export const refreshProviders = procedure.mutation(async ({ ctx }): Promise<null> => {
  await ctx.runtime.provider.refresh()
  return null
})
