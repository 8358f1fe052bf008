import { TurnID } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** Takes a queued prompt back; `withdrawn: false` when it already runs. */
export const withdrawPrompt = procedure
  .input(z.object({ turnID: TurnID }))
  .mutation(async ({ ctx, input }): Promise<{ withdrawn: boolean }> => {
    return { withdrawn: await ctx.runtime.prompt.withdraw(input.turnID) }
  })
