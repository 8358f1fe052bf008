import type { ApiContext } from "../context.ts"
import { may, requireOwn } from "./may.ts"

/** A link of somebody else is changed by who manages those of others. @throws share_not_found, forbidden */
export async function requireOwnShare({ identity, runtime }: ApiContext, shareID: string): Promise<void> {
  if (may(identity, "shares.manage")) return
  requireOwn(identity, (await runtime.share.get(shareID)).by, "shares.manage")
}

/** A session that somebody else began, or brought from a file, is removed by who manages them. @throws session_not_found, forbidden */
export async function requireOwnSession({ identity, runtime }: ApiContext, sessionID: string): Promise<void> {
  if (may(identity, "sessions.manage")) return
  const { rootID } = await runtime.session.get(sessionID)
  const { by, imported } = await runtime.session.get(rootID)
  requireOwn(identity, imported?.by ?? by, "sessions.manage")
}
