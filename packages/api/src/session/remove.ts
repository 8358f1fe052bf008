import { procedure } from "../trpc.ts"
import { SessionInput } from "./input.ts"

/** Stops the session and everything under it, then removes it for good. */
export const removeSession = procedure.input(SessionInput).mutation(async ({ ctx, input }): Promise<null> => {
  await ctx.runtime.session.remove(input.sessionID)
  return null
})
