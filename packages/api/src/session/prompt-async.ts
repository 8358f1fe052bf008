import { PromptInput, SessionID, type Turn } from "@docket/core/schema"
import { procedure } from "../trpc.ts"

/** Queues a prompt and answers with the queued turn at once; its events tell the rest. */
export const promptSessionAsync = procedure
  .input(PromptInput.extend({ sessionID: SessionID }))
  .mutation(({ ctx, input }): Promise<Turn> => {
    const { sessionID, ...prompt } = input
    return ctx.runtime.prompt.submit(sessionID, prompt)
  })
