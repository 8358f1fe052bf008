import { ContentHash, SessionID } from "@docket/core/schema"
import { z } from "zod"
import { answered } from "./answer.ts"
import type { GuardedRoutes } from "./guarded-routes.ts"
import { sendAttachment } from "./send-attachment.ts"
import { wellFormed } from "./well-formed.ts"

const Params = z.object({ session: SessionID, hash: ContentHash })

/** `GET /api/attachment/:session/:hash`: a file of the session's tree. */
export function addAttachmentRoutes(routes: GuardedRoutes): void {
  routes.get("/api/attachment/:session/:hash", "read", async (c) => {
    const { session: sessionID, hash } = wellFormed(Params, c.req.param())
    const { attachment } = await c.var.useCases()
    const kept = await attachment.read({ sessionID, hash })
    return answered(sendAttachment(c.env.outgoing, kept, { lasts: true }))
  })
}
