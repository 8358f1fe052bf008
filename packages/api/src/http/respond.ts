import type { IncomingMessage, ServerResponse } from "node:http"
import { type DocketErrorCode, isDocketError } from "@docket/core"
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc"
import { errorStatus } from "../error-status.ts"
import { unexpectedWords } from "../unexpected-words.ts"
import { chooseEncoding, type Encoding, encode } from "./encoding.ts"
import type { Refusal } from "./refusal.ts"

/** Headers of every answer of the API: it must not be cached, framed, sniffed or sent to other sites as a referrer. */
const safeHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
}

export function setSafeHeaders(res: ServerResponse): void {
  for (const [name, value] of Object.entries(safeHeaders)) res.setHeader(name, value)
}

export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  sendJsonText(res, status, JSON.stringify(body))
}

/** Sends text that already is JSON. */
export function sendJsonText(res: ServerResponse, status: number, text: string): void {
  void sendBody(res.setHeader("content-type", "application/json; charset=utf-8"), status, Buffer.from(text))
}

export function sendText(res: ServerResponse, status: number, text: string): void {
  void sendBody(res.setHeader("content-type", "text/plain; charset=utf-8"), status, Buffer.from(text))
}

/** Size from which compression is worth it (bytes): shorter bodies fit into one packet. */
const worthwhile = 1_024

/**
 * Sends a whole body, compressed if that is worth it. Compression cannot reveal secrets by sizes (BREACH): answers with
 * a login or a token are too short for it, and no other site can make a browser send its cookie here.
 */
export async function sendBody(res: ServerResponse, status: number, body: Uint8Array): Promise<void> {
  const encoding = wantedEncoding(res.req, body.byteLength)
  if (body.byteLength >= worthwhile) res.appendHeader("vary", "accept-encoding")
  if (encoding !== null) res.setHeader("content-encoding", encoding)
  const bytes = encoding === null ? body : await encode(body, encoding)
  res.writeHead(status, { "content-length": bytes.byteLength })
  res.end(res.req.method === "HEAD" ? undefined : bytes)
}

/** Errors of plain routes have the form of tRPC errors, so that one client reads both. */
export function sendRefusal(res: ServerResponse, refusal: Refusal, docketCode: DocketErrorCode | null = null): void {
  const { code, status, message } = refusal
  const data = { code, httpStatus: status, docketCode, path: null }
  sendJson(res, status, { error: { code: TRPC_ERROR_CODES_BY_KEY[code], message, data } })
}

export function sendError(res: ServerResponse, error: unknown, log: (text: string, error: unknown) => void): void {
  // A client that hung up while it sent the body reads no answer. That is no failure.
  const isHungUp = res.req.destroyed && !res.req.complete
  if (res.headersSent || isHungUp) {
    res.destroy()
  } else if (isDocketError(error)) {
    const { http, trpc } = errorStatus[error.code]
    sendRefusal(res, { status: http, code: trpc, message: error.message }, error.code)
  } else {
    log(`${res.req.method} ${res.req.url?.split("?")[0]} failed`, error)
    sendRefusal(res, { status: 500, code: "INTERNAL_SERVER_ERROR", message: unexpectedWords(error) })
  }
}

export const notFound: Refusal = {
  status: 404,
  code: "NOT_FOUND",
  message: "there is nothing at this address",
}

export const notSignedIn: Refusal = {
  status: 401,
  code: "UNAUTHORIZED",
  message:
    "sign in: a browser by the login page; a program sends a key, or the token of the token file, as a bearer token",
}

/** The encoding for a body of that many bytes; null for none. */
export function wantedEncoding(req: IncomingMessage, bytes: number): Encoding | null {
  return bytes < worthwhile || isNear(req) ? null : chooseEncoding(req.headers["accept-encoding"])
}

/** Whether the caller is on this machine, without a proxy in between: there compression costs more than the bytes. */
function isNear({ socket, headers }: IncomingMessage): boolean {
  const isProxied =
    headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined || headers.via !== undefined
  return !isProxied && isLoopback(socket.remoteAddress)
}

function isLoopback(address = ""): boolean {
  return address === "::1" || /^(?:::ffff:)?127\./.test(address)
}
