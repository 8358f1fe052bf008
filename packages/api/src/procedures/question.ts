import { records } from "@docket/core/operations"
import { isInquiry } from "@docket/core/rule"
import { PermissionID, type PermissionRequest, QuestionAnswer, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"

/** Questions of agents, and plans that wait for a decision. They stand and end beside the permission requests of their tree, whose events tell of them. */
export const questionRouter = router({
  /** Those that wait for an answer, oldest first, of one tree or of all. */
  list: allowed("read")
    .input(z.object({ rootID: SessionID.optional() }))
    .query(async ({ ctx, input }): Promise<PermissionRequest[]> => {
      const pending = await ctx.runtime.permission.pending(input.rootID)
      return pending.filter(({ metadata }) => isInquiry(metadata))
    }),

  /** One answer for each question of the request, in their order. */
  answer: allowed("answer", records("answered", { results: ["status"] }))
    .input(z.object({ requestID: PermissionID, answers: z.array(QuestionAnswer).max(100) }))
    .mutation(({ ctx, input }): Promise<PermissionRequest> => {
      return ctx.runtime.permission.answer(input.requestID, input.answers)
    }),

  /** Gives no answer: the agent is told so, with the message if there is one, and goes on. */
  dismiss: allowed("answer", records("answered", { results: ["status"] }))
    .input(z.object({ requestID: PermissionID, message: z.string().max(10_000).optional() }))
    .mutation(({ ctx, input: { requestID, message } }): Promise<PermissionRequest> => {
      return ctx.runtime.permission.reply(requestID, "reject", { message })
    }),
})
