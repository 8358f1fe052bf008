import type { Session } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { SessionInput } from "./input.ts"

export const getSession = procedure
  .input(SessionInput)
  .query(({ ctx, input }): Promise<Session> => ctx.runtime.session.get(input.sessionID))
