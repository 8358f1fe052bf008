import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { McpOAuth } from "@docket/core/schema"

export interface CallbackListener {
  redirectURL: string
  /** Null where the configuration names an address that leads elsewhere. */
  server: Server | null
}

/** Waits on this machine for the browser to come back: on a free port, or the one that is configured. */
export async function listenForCallback(
  { redirectUri, callbackPort }: McpOAuth,
  { state, answer }: { state: string; answer(redirected: string): Promise<Error | null> },
): Promise<CallbackListener> {
  const named = redirectUri === undefined ? null : new URL(redirectUri)
  if (named !== null && !isOfThisMachine(named)) return { redirectURL: named.href, server: null }
  const path = named?.pathname ?? "/callback"
  let isOver = false
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? "/", "http://127.0.0.1")
    const isIt = request.method === "GET" && address.pathname === path && address.searchParams.get("state") === state
    response.setHeader("content-type", "text/plain; charset=utf-8")
    response.setHeader("connection", "close")
    if (!isIt || isOver) {
      response.statusCode = 404
      response.end("Nothing is waited for here.\n")
      return
    }
    isOver = true
    void answer(address.href).then((error) => {
      response.statusCode = error === null ? 200 : 400
      response.end(error === null ? "Signed in. You can close this page.\n" : `${error.message}\n`)
    })
  })
  const wanted = Number(named?.port || callbackPort || 0)
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new Error(`Port ${wanted} is not free: ${error.message}`, { cause: error })))
    server.listen(wanted, "127.0.0.1", resolve)
  })
  server.unref()
  const { port } = server.address() as AddressInfo
  return { redirectURL: named?.href ?? `http://127.0.0.1:${port}${path}`, server }
}

function isOfThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname)
}
