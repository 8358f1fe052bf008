import { request } from "node:https"
import { Readable } from "node:stream"
import type { SentInit } from "./team-browser.ts"

export interface TlsWay {
  /** Port on 127.0.0.1 that uses TLS. */
  port: number
  /** Trusted certificates, in PEM. */
  ca: string
  /** Local address of the client. */
  from: string
}

/** Sends like a browser that resolves the name to this machine: the URL determines name, Host and certificate. */
export async function sendByTls(address: string, { method, headers, body }: SentInit, way: TlsWay): Promise<Response> {
  const { host, hostname, pathname, search } = new URL(address)
  const { promise, resolve, reject } = Promise.withResolvers<Response>()
  const { port, ca, from } = way
  const to = { host: "127.0.0.1", port, localAddress: from, servername: hostname, ca, agent: false }
  const req = request({ ...to, path: pathname + search, method, headers: { ...headers, host } }, (res) => {
    const given = new Headers()
    for (let at = 0; at < res.rawHeaders.length; at += 2)
      given.append(res.rawHeaders[at] ?? "", res.rawHeaders[at + 1] ?? "")
    const { statusCode: status = 0 } = res
    const isEmpty = status === 204 || status === 304
    resolve(new Response(isEmpty ? null : (Readable.toWeb(res) as ReadableStream), { status, headers: given }))
  })
  req.on("error", reject).end(body)
  return await promise
}
