import type { ListedGrants } from "@docket/core"
import { records } from "@docket/core/operations"
import {
  GrantID,
  GrantScope,
  PermissionID,
  PermissionReply,
  type PermissionRequest,
  SessionID,
} from "@docket/core/schema"
import { z } from "zod"
import { allowed, router } from "../trpc.ts"

const ReplyInput = z.object({
  requestID: PermissionID,
  reply: PermissionReply,
  message: z.string().max(10_000).optional(),
  /** What "always" allows, in place of what the request offers, and where. */
  remember: z
    .object({
      patterns: z.array(z.string().max(10_000)).max(1_000).optional(),
      within: GrantScope.optional(),
    })
    .optional(),
})

export const permissionRouter = router({
  /** Requests that wait for an answer, oldest first, of one tree or of all. */
  list: allowed("read")
    .input(z.object({ rootID: SessionID.optional() }))
    .query(({ ctx, input }): Promise<PermissionRequest[]> => ctx.runtime.permission.pending(input.rootID)),

  /** Answers a permission request. A rejection with a message lets the model read it and go on. */
  reply: allowed("answer", records("answered", { facts: ["reply"], results: ["permission"] }))
    .input(ReplyInput)
    .mutation(({ ctx, input: { requestID, reply, ...options } }): Promise<PermissionRequest> => {
      return ctx.runtime.permission.reply(requestID, reply, options)
    }),

  /** What was allowed for good and counts still, newest first. */
  grants: allowed("read").query(({ ctx }): Promise<ListedGrants> => ctx.runtime.permission.grants()),

  /** Puts back what a command left and could not keep, and lets commands of the project leave it so from now on. */
  allowLeft: allowed("answer", records("left.allowed"))
    .input(z.object({ sessionID: SessionID, leftID: z.string().max(100) }))
    .mutation(({ ctx, input }): Promise<void> => ctx.runtime.permission.allowLeft(input.sessionID, input.leftID)),

  /** Takes back what was allowed for good: it counts no more from the next judgement on. */
  revoke: allowed("answer", records("grant.ended"))
    .input(z.object({ grantID: GrantID }))
    .mutation(({ ctx, input }): Promise<void> => ctx.runtime.permission.revoke(input.grantID)),
})
