import type { Session } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { SessionInput } from "./input.ts"

export const sessionChildren = procedure
  .input(SessionInput)
  .query(({ ctx, input }): Promise<Session[]> => ctx.runtime.session.children(input.sessionID))
