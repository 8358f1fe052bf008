import { records } from "@docket/core/operations"
import { MessageID, PartID } from "@docket/core/schema"
import type * as Sdk from "@opencode-ai/sdk/v2/types"
import { z } from "zod"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { bodyOf, callOf, type OpencodeApp, type OpencodeDeps, refusePlugins, sessionIDOf } from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"
import { sessionShape } from "./session-shape.ts"

const UpdateBody = z.object({
  title: z.string().trim().min(1).max(200).optional(),
  time: z.object({ archived: z.number().optional() }).optional(),
  permission: z.unknown().optional(),
  metadata: z.unknown().optional(),
})
const ForkBody = z.object({ messageID: MessageID.optional() })
const RevertBody = z.object({ messageID: MessageID, partID: PartID.optional() })

/** Sessions that are there: renamed, archived, copied, undone and removed. */
export function addSessionChangeRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  const { version } = deps
  app.patch("/session/:id", requires("prompt", records("session.changed")), async (c) => {
    const call = callOf(c, deps)
    const sessionID = sessionIDOf(c)
    const { title, time, permission, metadata } = await bodyOf(c, UpdateBody)
    if (permission !== undefined || metadata !== undefined)
      throw new OpencodeError(400, "Docket changes the title of a session and archives it. Its rules stay as they are.")
    // In OpenCode's form, a time of 0 brings it back.
    const archived = time?.archived === undefined ? undefined : time.archived > 0
    return answerJson(c, sessionShape(await call.agents.session.update({ sessionID, title, archived }), version), 200)
  })
  app.delete("/session/:id", requires("prompt", records("session.removed")), async (c) => {
    const call = callOf(c, deps)
    refusePlugins(call, "A plugin removes no sessions. People do it in Docket.")
    await call.agents.session.remove({ sessionID: sessionIDOf(c) }, call.asker)
    return answerJson(c, true satisfies Sdk.SessionDeleteResponse, 200)
  })
  app.post("/session/:id/fork", requires("prompt", records("session.started")), async (c) => {
    const call = callOf(c, deps)
    const { messageID } = await bodyOf(c, ForkBody)
    const session = await call.agents.session.fork({ sessionID: sessionIDOf(c), messageID })
    c.var.recorder?.about({ session: session.id })
    return answerJson(c, sessionShape(session, version), 200)
  })
  app.post("/session/:id/revert", requires("undo", records("undone")), async (c) => {
    const call = callOf(c, deps)
    const { messageID, partID } = await bodyOf(c, RevertBody)
    const session = await call.agents.session.revert({ sessionID: sessionIDOf(c), messageID, partID })
    return answerJson(c, sessionShape(session, version), 200)
  })
  app.post("/session/:id/unrevert", requires("undo", records("redone")), async (c) => {
    const { session } = await callOf(c, deps).agents.session.unrevert({ sessionID: sessionIDOf(c) })
    return answerJson(c, sessionShape(session, version), 200)
  })
}
