import { spawn } from "node:child_process"
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http"
import { connect, isIP, type Server as Listener, type Socket } from "node:net"
import type { Duplex } from "node:stream"
import { z } from "zod"
import { allowedAddress, type Destination } from "./allowed-host.ts"
import type { SandboxPlace } from "./sandbox.ts"

/** The networks of places that may reach hosts: one for each project and list of hosts. */
export interface NetworkRooms {
  /** Opens the network when first needed, and again when it was lost; null for a place that may reach no host. */
  of(place: SandboxPlace): Promise<NetworkRoom | null>
  /** Hosts that were refused in a place since then (epoch ms). */
  refused(place: SandboxPlace, since: number): string[]
  /** Closes all networks, also those that are still being opened. */
  close(): Promise<void>
}

export function createNetworkRooms(deps: NetworkRoomDeps): NetworkRooms {
  const rooms = new Map<string, NetworkRoom>()
  const opening = new Map<string, Promise<NetworkRoom>>()
  const keyOf = ({ project, hosts }: SandboxPlace) => JSON.stringify([project, ...hosts])
  const openFor = async (key: string, hosts: readonly string[]) => {
    try {
      const room = await openNetworkRoom(hosts, deps)
      rooms.set(key, room)
      return room
    } finally {
      opening.delete(key)
    }
  }
  return {
    async of(place) {
      if (place.hosts.length === 0 || place.hasOpenNetwork) return null
      const key = keyOf(place)
      const known = rooms.get(key)
      if (known?.isOpen()) return known
      const room = opening.get(key) ?? openFor(key, place.hosts)
      if (!opening.has(key)) opening.set(key, room)
      return room
    },
    refused: (place, since) => rooms.get(keyOf(place))?.refused(since) ?? [],
    async close() {
      await Promise.allSettled(opening.values())
      for (const room of rooms.values()) room.close()
    },
  }
}

/** No place has a network. */
export const noRooms: NetworkRooms = { of: async () => null, refused: () => [], close: async () => {} }

/** A network namespace that contains only a proxy to allowed hosts. */
export interface NetworkRoom {
  /** A process in the namespace: others enter it by this id. */
  pid: number
  /** Variables that tell programs where the proxy is. */
  env: Record<string, string>
  /** Hosts that were refused since then (epoch ms). */
  refused(since: number): string[]
  isOpen(): boolean
  close(): void
}

interface NetworkRoomDeps {
  /** Path of bubblewrap. */
  program: string
  clock(): number
}

/** The port of the proxy inside the namespace. */
const proxyPort = 3_128
/** At most this many refused hosts are remembered. */
const maxRefused = 100
/** ms */
const openTimeout = 10_000

/**
 * Runs inside the namespace: passes its listening socket to the service, which answers from outside. The process that
 * remains only keeps the namespace open.
 */
const script = `
const server = require("node:net").createServer({ pauseOnConnect: true })
server.listen(${proxyPort}, "127.0.0.1", () => process.send({ pid: process.ppid }, server, () => process.disconnect()))
process.once("disconnect", () => process.exit())`

const Opened = z.object({ pid: z.int().positive() })

/** Opens a network. @throws Error when it cannot be created */
async function openNetworkRoom(hosts: readonly string[], deps: NetworkRoomDeps): Promise<NetworkRoom> {
  const refused = new Map<string, number>()
  const proxy = createHostProxy({
    allowed: hosts,
    onRefused(host) {
      refused.delete(host)
      refused.set(host, deps.clock())
      const [oldest] = refused.keys()
      if (refused.size > maxRefused && oldest !== undefined) refused.delete(oldest)
    },
  })
  const inside = ["sh", "-c", '"$0" -e "$1"; unset NODE_CHANNEL_FD; exec sleep infinity', process.execPath, script]
  const child = spawn(
    deps.program,
    ["--dev-bind", "/", "/", "--unshare-user", "--unshare-net", "--die-with-parent", "--", ...inside],
    // Where Next's types are present, ProcessEnv demands NODE_ENV; the room needs none.
    { stdio: ["ignore", "ignore", "ignore", "ipc"], env: { PATH: "/usr/bin:/bin" } as unknown as NodeJS.ProcessEnv },
  )
  let isOpen = true
  child.once("exit", () => {
    isOpen = false
  })
  const close = () => {
    isOpen = false
    proxy.close()
    child.kill("SIGKILL")
  }
  try {
    const { pid, listener } = await opened(child)
    proxy.serve(listener)
    child.once("exit", () => listener.close())
    return {
      pid,
      env: proxyVariables(`http://127.0.0.1:${proxyPort}`),
      refused: (since) => [...refused].flatMap(([host, at]) => (at >= since ? [host] : [])),
      isOpen: () => isOpen,
      close() {
        listener.close()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

function opened(child: ReturnType<typeof spawn>): Promise<{ pid: number; listener: Listener }> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error("The network of the sandbox could not be made."))
    const timer = setTimeout(fail, openTimeout)
    child.once("error", fail)
    child.once("exit", fail)
    child.once("message", (message, handle) => {
      clearTimeout(timer)
      const read = Opened.safeParse(message)
      // The script sends a server as its handle.
      if (read.success && handle !== undefined) resolve({ pid: read.data.pid, listener: handle as Listener })
      else fail()
    })
  })
}

/** Proxy variables as curl, git, npm, pip, cargo and Node's fetch read them. */
function proxyVariables(url: string): Record<string, string> {
  const own = "localhost,127.0.0.1,::1"
  const names = { HTTP_PROXY: url, HTTPS_PROXY: url, ALL_PROXY: url, NO_PROXY: own }
  const lowerCase = Object.entries(names).map(([name, value]) => [name.toLowerCase(), value])
  return { ...names, ...Object.fromEntries(lowerCase), NODE_USE_ENV_PROXY: "1" }
}

interface HostProxyDeps {
  /** Hosts that may be reached. */
  allowed: readonly string[]
  /** A program tried to reach a host that is not allowed. */
  onRefused(host: string): void
}

/** Headers between a program and its proxy, which are not forwarded: RFC 9110, 7.6.1. */
const ownHeaders = ["proxy-connection", "proxy-authorization", "connection", "keep-alive", "te", "upgrade"]

/** An HTTP proxy that connects only to allowed hosts. It sees the host names but not the content of TLS. */
function createHostProxy({ allowed, onRefused }: HostProxyDeps): {
  serve(listener: Listener): void
  close(): void
} {
  const sockets = new Set<Socket>()
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
        sockets.add(socket)
        socket.once("close", () => sockets.delete(socket))
        server.emit("connection", socket)
      })
    },
    close() {
      for (const socket of sockets) socket.destroy()
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

/** @param defaultPort null when the URL must name a port */
function destinationOf(url: string, defaultPort: number | null): Destination | null {
  if (!URL.canParse(url)) return null
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, "")
  // The parser drops port 80, the default of its scheme.
  const named = port === "" ? (defaultPort ?? (/:80$/.test(url) ? 80 : 0)) : Number(port)
  return host === "" || named === 0 ? null : { host, port: named }
}

function refusal(to: Destination | null): string {
  return `The sandbox of Docket does not let commands reach ${to === null ? "this" : shown(to)}.\n`
}

function shown({ host, port }: Destination): string {
  const name = isIP(host) === 6 ? `[${host}]` : host
  return port === 80 || port === 443 ? name : `${name}:${port}`
}
