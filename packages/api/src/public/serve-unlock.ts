import type { IncomingMessage, ServerResponse } from "node:http"
import type { FewAtOnce } from "@docket/core"
import type { Ingress } from "../http/ingress.ts"
import { readBody } from "../http/read-body.ts"
import { type ShareDeps, visitorOf } from "./open-share.ts"
import { sendWaitPage } from "./send-wait-page.ts"
import { passCookies } from "./share-pass.ts"
import type { UnlockLimit } from "./unlock-limit.ts"

export interface UnlockDeps extends ShareDeps {
  ingress: Pick<Ingress, "isSecure" | "addressOf">
  unlockLimit: UnlockLimit
  /** Hashes all passwords of links, of all workspaces. */
  unlocking: FewAtOnce
}

/** Each hash takes 19 MiB and one of the four threads that also read files. The last in the queue waits under 1 s. */
export const hashing = { atOnce: 2, waiting: 20 }

/** Size limit of the form, which has one field (bytes). */
const maxBytes = 4_096

/**
 * `POST` of the password form on a page of a link. Sends the browser back to that page, with a pass if the password is
 * right. Every other case has the same answer: the page then says that the try failed. After too many tries from one
 * address or on one link, or while too many others try, nothing is checked, and the answer says how long to wait.
 */
export async function serveUnlock(deps: UnlockDeps, req: IncomingMessage, res: ServerResponse): Promise<void> {
  // The path is in its plain form; that was checked before.
  const url = new URL(req.url ?? "", "http://localhost")
  const [, , secret = ""] = url.pathname.split("/")
  const body = await readBody(req, maxBytes)
  const password = new URLSearchParams(body?.toString() ?? "").get("password") ?? ""
  url.searchParams.delete("tried")
  const back = url.pathname + url.search
  const address = deps.ingress.addressOf(req)
  const wait = await deps.unlockLimit.take(address, secret)
  if (wait !== null) return sendWaitPage(res, wait, back)
  const reader = await deps.links.of(secret)
  const { isMember } = await visitorOf(deps, reader, { cookie: req.headers.cookie })
  const trying = deps.unlocking(() => reader.runtime.links.unlock(secret, { password, isMember }))
  if (trying === null) {
    await deps.unlockLimit.giveBack(address, secret)
    return sendWaitPage(res, 1, back)
  }
  const pass = await trying
  if (pass === null) url.searchParams.set("tried", "1")
  else {
    await deps.unlockLimit.giveBack(address, secret)
    res.setHeader("set-cookie", passCookies(deps.ingress, secret, pass))
  }
  res.writeHead(303, { location: url.pathname + url.search }).end()
}
