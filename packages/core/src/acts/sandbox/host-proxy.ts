import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { connect, isIP, type Server as Listener, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { allowedAddress, type Destination } from "./allowed-host.ts"

export interface HostProxyDeps {
  /** Hosts that may be reached. */
  allowed: readonly string[]
  /** A program wanted to reach one that may not be. */
  onRefused(host: string): void
}

/** Headers between a program and its proxy, which no other host gets: RFC 9110, 7.6.1. */
const ownHeaders = ["proxy-connection", "proxy-authorization", "connection", "keep-alive", "te", "upgrade"]

/** An HTTP proxy that connects to the hosts of a list and to no other. It sees which these are, not what TLS carries. */
export function createHostProxy({ allowed, onRefused }: HostProxyDeps): {
  serve(listener: Listener): void
  close(): void
} {
  const open = new Set<Socket>()
  const addressOf = async (to: Destination | null) => {
    const address = to && (await allowedAddress(allowed, to))
    if (address === null) onRefused(to === null ? "an address that cannot be read" : shown(to))
    return address
  }
  const server: Server = createServer((incoming, answer) => {
    forward(incoming, answer, addressOf).catch(() => answer.destroy())
  })
  server.on("connect", (incoming: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on("error", () => client.destroy())
    tunnel(incoming, client, { head, addressOf }).catch(() => client.destroy())
  })
  return {
    serve(listener) {
      listener.on("connection", (socket: Socket) => {
        open.add(socket)
        socket.once("close", () => open.delete(socket))
        server.emit("connection", socket)
      })
    },
    close() {
      for (const socket of open) socket.destroy()
    },
  }
}

type AddressOf = (to: Destination | null) => Promise<string | null>

async function tunnel(
  { url = "" }: IncomingMessage,
  client: Duplex,
  { head, addressOf }: { head: Buffer; addressOf: AddressOf },
): Promise<void> {
  const to = destinationOf(`http://${url}`, null)
  const address = await addressOf(to)
  if (to === null || address === null) {
    const text = refusal(to)
    client.end(`HTTP/1.1 403 Forbidden\r\ncontent-type: text/plain\r\ncontent-length: ${text.length}\r\n\r\n${text}`)
    return
  }
  const upstream = connect({ host: address, port: to.port })
  upstream.once("connect", () => {
    client.write("HTTP/1.1 200 Connection Established\r\n\r\n")
    upstream.write(head)
    client.pipe(upstream).pipe(client)
  })
  upstream.once("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"))
  client.once("close", () => upstream.destroy())
}

async function forward(incoming: IncomingMessage, answer: ServerResponse, addressOf: AddressOf): Promise<void> {
  const url = incoming.url ?? ""
  const to = url.startsWith("http://") ? destinationOf(url, 80) : null
  const address = await addressOf(to)
  if (to === null || address === null) {
    answer.writeHead(403, { "content-type": "text/plain" }).end(refusal(to))
    return
  }
  const { pathname, search, host } = new URL(url)
  const headers = { ...incoming.headers, host }
  for (const name of ownHeaders) Reflect.deleteProperty(headers, name)
  const options = { host: address, port: to.port, method: incoming.method, path: `${pathname}${search}`, headers }
  const upstream = request(options, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(answer)
  })
  upstream.once("error", () => {
    if (answer.headersSent) answer.destroy()
    else answer.writeHead(502).end()
  })
  answer.once("close", () => upstream.destroy())
  incoming.pipe(upstream)
}

/** @param usual the port when none is named; null when one has to be */
function destinationOf(url: string, usual: number | null): Destination | null {
  if (!URL.canParse(url)) return null
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, "")
  // The parser leaves out the port 80, which is the usual one of its scheme.
  const named = port === "" ? (usual ?? (/:80$/.test(url) ? 80 : 0)) : Number(port)
  return host === "" || named === 0 ? null : { host, port: named }
}

function refusal(to: Destination | null): string {
  return `The sandbox of Docket does not let commands reach ${to === null ? "this" : shown(to)}.\n`
}

function shown({ host, port }: Destination): string {
  const name = isIP(host) === 6 ? `[${host}]` : host
  return port === 80 || port === 443 ? name : `${name}:${port}`
}
