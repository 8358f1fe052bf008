import { procedure } from "../trpc.ts"
import { SessionInput } from "./input.ts"

/** Stops the session and everything under it, and answers when all of it has stopped. */
export const abortSession = procedure.input(SessionInput).mutation(async ({ ctx, input }): Promise<null> => {
  await ctx.runtime.abort(input.sessionID)
  return null
})
