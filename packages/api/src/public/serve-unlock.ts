import type { IncomingMessage, ServerResponse } from "node:http"
import type { Front } from "../http/front.ts"
import { readBody } from "../http/read-body.ts"
import { type ShareDoor, visitorOf } from "./open-share.ts"
import { passCookies } from "./share-pass.ts"

export interface UnlockDoor extends ShareDoor {
  front: Pick<Front, "isSecure" | "addressOf">
}

/** A form with one field. */
const maxBytes = 4_096

/**
 * `POST` of the form on a page of a link, with its `password`: sends the browser back to that page, with a pass if the
 * password opens it. Whatever keeps a visitor out has the same answer: the page then says that it tried.
 */
export async function serveUnlock(door: UnlockDoor, req: IncomingMessage, res: ServerResponse): Promise<void> {
  // The address was found to be in its plain form before.
  const url = new URL(req.url ?? "", "http://localhost")
  const [, , secret = ""] = url.pathname.split("/")
  const body = await readBody(req, maxBytes)
  const password = new URLSearchParams(body?.toString() ?? "").get("password") ?? ""
  const reader = await door.links.of(secret)
  const { isMember } = await visitorOf(door, reader, { cookie: req.headers.cookie })
  const address = door.front.addressOf(req)
  const pass = await reader.runtime.share.unlock(secret, { password, address, isMember })
  url.searchParams.delete("tried")
  if (pass === null) url.searchParams.set("tried", "1")
  else res.setHeader("set-cookie", passCookies(door.front, secret, pass))
  res.writeHead(303, { location: url.pathname + url.search }).end()
}
