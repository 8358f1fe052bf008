import { SessionID } from "@docket/core/schema"
import type { MessagePage } from "@docket/core/store"
import { z } from "zod"
import { procedure } from "../trpc.ts"

/** `before` and `after` are message ids, `around` a message or part id. `limit` counts messages. */
export const MessagesInput = z
  .object({
    sessionID: SessionID,
    before: z.string().optional(),
    after: z.string().optional(),
    around: z.string().optional(),
    limit: z.number().int().min(1).max(2_000).optional(),
  })
  .refine((it) => [it.before, it.after, it.around].filter((anchor) => anchor !== undefined).length <= 1, {
    error: "give only one of before, after and around",
  })

/** A window of messages with their parts, oldest first; without an anchor the newest. */
export const sessionMessages = procedure
  .input(MessagesInput)
  .query(({ ctx, input }): Promise<MessagePage & { seq: number }> => ctx.runtime.session.messages(input))
