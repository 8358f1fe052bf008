import { MessageID, type Session } from "@docket/core/schema"
import { procedure } from "../trpc.ts"
import { SessionInput } from "./input.ts"

/** Undoes a session from a user message on: conversation, todo list and files. */
export const revertSession = procedure
  .input(SessionInput.extend({ messageID: MessageID }))
  .mutation(({ ctx, input }): Promise<Session> => ctx.runtime.session.revert(input.sessionID, input.messageID))
