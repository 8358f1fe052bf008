import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import type { McpOAuth } from "@docket/core/schema"

/** A sign-in that waits for the browser to come back. */
export interface AwaitedCallback {
  redirectURL: string
  stop(): void
}

export interface CallbackListener {
  /**
   * Waits on this machine: on a free port, or the one that is configured, where several sign-ins wait together. Where the
   * configuration names an address that leads elsewhere, nothing is listened to.
   */
  wait(config: McpOAuth, waiting: { state: string; answer: Answer }): Promise<AwaitedCallback>
}

/** What the browser was sent to; gives what went wrong. */
type Answer = (redirected: string) => Promise<Error | null>

interface OpenPort {
  server: Server
  port: number
  /** By path and state. */
  answers: Map<string, Answer>
}

export function createCallbackListener(): CallbackListener {
  /** Those that are configured, with how many sign-ins wait there. */
  const ports = new Map<number, { opening: Promise<OpenPort>; waiting: number }>()
  const openFor = (wanted: number) => {
    const known = ports.get(wanted)
    if (known !== undefined) return known
    const made = { opening: openPort(wanted), waiting: 0 }
    if (wanted === 0) return made
    ports.set(wanted, made)
    made.opening.catch(() => ports.delete(wanted))
    return made
  }
  return {
    async wait({ redirectUri, callbackPort }, { state, answer }) {
      const named = redirectUri === undefined ? null : new URL(redirectUri)
      if (named !== null && !isOfThisMachine(named)) return { redirectURL: named.href, stop: () => {} }
      const path = named?.pathname ?? "/callback"
      const wanted = Number(named?.port || callbackPort || 0)
      const open = openFor(wanted)
      open.waiting += 1
      const { server, port, answers } = await open.opening
      const key = keyOf(path, state)
      answers.set(key, answer)
      let isStopped = false
      return {
        redirectURL: named?.href ?? `http://127.0.0.1:${port}${path}`,
        stop() {
          if (isStopped) return
          isStopped = true
          answers.delete(key)
          open.waiting -= 1
          if (open.waiting > 0) return
          ports.delete(wanted)
          server.close()
          server.closeIdleConnections()
        },
      }
    },
  }
}

async function openPort(wanted: number): Promise<OpenPort> {
  const answers = new Map<string, Answer>()
  const server = createServer((request, response) => {
    const address = new URL(request.url ?? "/", "http://127.0.0.1")
    const key = keyOf(address.pathname, address.searchParams.get("state") ?? "")
    const answer = request.method === "GET" ? answers.get(key) : undefined
    response.setHeader("content-type", "text/plain; charset=utf-8")
    response.setHeader("connection", "close")
    if (answer === undefined) {
      response.statusCode = 404
      response.end("Nothing is waited for here.\n")
      return
    }
    answers.delete(key)
    void answer(address.href).then((error) => {
      response.statusCode = error === null ? 200 : 400
      response.end(error === null ? "Signed in. You can close this page.\n" : `${error.message}\n`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => reject(new Error(`Port ${wanted} is not free: ${error.message}`, { cause: error })))
    server.listen(wanted, "127.0.0.1", resolve)
  })
  server.unref()
  return { server, port: (server.address() as AddressInfo).port, answers }
}

const keyOf = (path: string, state: string) => JSON.stringify([path, state])

function isOfThisMachine({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname)
}
