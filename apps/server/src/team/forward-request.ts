import type { IncomingMessage, ServerResponse } from "node:http"
import { readBody } from "@docket/api"
import { DocketError } from "@docket/core"
import { addressHeader } from "./create-accounts.ts"

export interface Forwarding {
  /** The public address: what is handed on was asked of it, whatever Host says. */
  url: string
  /** The client's address. */
  address: string
  /** Instead of the request's own. */
  path?: string | undefined
}

/** Nothing that people sign in with is larger. */
const maxBytes = 64 * 1024

/** It is kept with each sign-in (characters): browsers name themselves in half of it. */
const longestAgent = 500

/** Headers that better-auth reads. Nothing else goes on, forwarded addresses least of all. */
const handedOn = ["accept", "content-type", "cookie", "origin", "sec-fetch-site", "user-agent"]

/** The request as better-auth takes it. `body`: instead of its own. */
export async function toWebRequest(
  req: IncomingMessage,
  { url, address, path }: Forwarding,
  body?: object,
): Promise<Request> {
  const headers = new Headers({ [addressHeader]: address })
  for (const name of handedOn) {
    // Whose request it is says the token, here as everywhere: what a cookie did beside one would be told of somebody else.
    if (name === "cookie" && req.headers.authorization !== undefined) continue
    const value = req.headers[name]
    if (typeof value === "string") headers.set(name, name === "user-agent" ? value.slice(0, longestAgent) : value)
  }
  const method = req.method ?? "GET"
  const target = new URL(path ?? req.url ?? "/", url)
  if (method === "GET" || method === "HEAD") return new Request(target, { method, headers })
  const bytes = body === undefined ? await readBody(req, maxBytes) : Buffer.from(JSON.stringify(body))
  if (bytes === null) throw new DocketError("invalid_input", `the request body is larger than ${maxBytes} bytes`)
  headers.set("content-type", "application/json")
  return new Request(target, { method, headers, body: bytes.length === 0 ? "{}" : new Uint8Array(bytes) })
}

/** Sends better-auth's answer on, with its cookies. */
export async function sendWebResponse(response: Response, res: ServerResponse): Promise<void> {
  setCookies(response, res)
  for (const name of ["content-type", "location"]) {
    const value = response.headers.get(name)
    if (value !== null) res.setHeader(name, value)
  }
  res.writeHead(response.status)
  res.end(Buffer.from(await response.arrayBuffer()))
}

export function setCookies(response: Response, res: ServerResponse): void {
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) res.setHeader("set-cookie", cookies)
}
