import { PromptInput, SessionID, type Turn } from "@docket/core/schema"
import { procedure } from "../trpc.ts"

/** Queues a prompt and answers when its turn has ended. A caller that hangs up does not stop the turn. */
export const promptSession = procedure
  .input(PromptInput.extend({ sessionID: SessionID }))
  .mutation(async ({ ctx, input, signal }): Promise<Turn> => {
    const { sessionID, ...prompt } = input
    const turn = await ctx.runtime.prompt.submit(sessionID, prompt)
    return ctx.runtime.prompt.wait(turn.id, signal)
  })
