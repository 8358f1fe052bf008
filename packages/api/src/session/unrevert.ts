import type { LeftFile, Session } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { SessionInput } from "./input.ts"

/** Brings back what was undone; `left` are the files that someone changed since. */
export const unrevertSession = procedure
  .input(SessionInput)
  .mutation(
    ({ ctx, input }): Promise<{ session: Session; left: LeftFile[] }> => ctx.runtime.session.unrevert(input.sessionID),
  )
