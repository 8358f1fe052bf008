import { isDocketError } from "@docket/core"
import { records } from "@docket/core/operations"
import type { Session } from "@docket/core/schema"
import { answerJson } from "../http/answer.ts"
import { requires } from "../http/guarded-routes.ts"
import { callOf, type OpencodeApp, type OpencodeCall, type OpencodeDeps, sessionIDOf } from "./opencode-app.ts"
import { OpencodeError } from "./opencode-error.ts"
import { sessionShape } from "./session-shape.ts"

/** A link is public, so nobody makes one here of what a person has to look at first. */
export function addShareRoutes(app: OpencodeApp, deps: OpencodeDeps): void {
  app.post("/session/:id/share", requires("share", records("share.made")), async (c) => {
    const call = callOf(c, deps)
    const session = await rootOf(call, sessionIDOf(c))
    const { id, url } = await linkTo(call, session)
    c.var.recorder?.about({ share: id })
    return answerJson(c, { ...sessionShape(session, deps.version), share: { url } }, 200)
  })
  app.delete("/session/:id/share", requires("share", records("share.ended")), async (c) => {
    const call = callOf(c, deps)
    const session = await rootOf(call, sessionIDOf(c))
    await call.agents.share.revokeAll({ rootID: session.id }, call.asker)
    return answerJson(c, sessionShape(session, deps.version), 200)
  })
}

/** @throws OpencodeError 403 for the session of a task, which is shown with the session that leads it */
async function rootOf({ agents }: OpencodeCall, sessionID: string): Promise<Session> {
  const session = await agents.session.get({ sessionID })
  if (session.parentID === null) return session
  throw new OpencodeError(403, `A link shows a session with all that works for it. Share ${session.rootID}.`)
}

/** @throws OpencodeError 403 with the way to share it all the same, or with why it cannot be shared */
async function linkTo({ agents, asker, origin }: OpencodeCall, { id: rootID }: Session) {
  const { key, findings } = await agents.share.preview({ rootID }, asker)
  const way = `Look at them at ${origin}/session/${rootID}, and share the session there.`
  if (findings.length > 0)
    throw new OpencodeError(403, `${findings.length} things in this session look like secrets. ${way}`)
  return agents.share.create({ rootID, reviewed: { key, digests: [] } }, asker).catch((error: unknown) => {
    if (isDocketError(error) && error.code === "share_changed") throw new OpencodeError(403, `${error.message} ${way}`)
    throw error
  })
}
