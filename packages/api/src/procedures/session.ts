import { records, SubmitInput } from "@docket/core/operations"
import type { Turn } from "@docket/core/schema"
import { askerOf } from "../operation-procedures.ts"
import { allowed } from "../trpc.ts"

/** Procedures that are more than one operation. */
export const sessionProcedures = {
  /** Queues a prompt and answers when its turn has ended. The turn goes on when the caller hangs up. */
  prompt: allowed("prompt", records("prompted"))
    .input(SubmitInput)
    .mutation(async ({ ctx, input, signal }): Promise<Turn> => {
      const turn = await ctx.runtime.session.promptAsync(input, askerOf(ctx))
      return ctx.runtime.session.wait({ turnID: turn.id, signal })
    }),
}
