import { PermissionID, PermissionReply, type PermissionRequest } from "@docket/core/schema"
import { z } from "zod"
import { procedure } from "../trpc.ts"

const Input = z.object({ requestID: PermissionID, reply: PermissionReply, message: z.string().max(10_000).optional() })

/** Answers a permission request. A rejection with a message lets the model read it and go on. */
export const replyPermission = procedure
  .input(Input)
  .mutation(
    ({ ctx, input }): Promise<PermissionRequest> =>
      ctx.runtime.permission.reply(input.requestID, input.reply, input.message),
  )
