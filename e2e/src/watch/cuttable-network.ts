import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/**
 * The connection of one screen to the service, which can be cut: the browser's offline mode leaves open streams alone.
 */
export interface CuttableNetwork {
  /** Proxy for a browser context, so that the service keeps its own address, which it checks. */
  proxy: { server: string; bypass: string }
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** A SOCKS proxy (RFC 1928) without a login that always connects to one port of this machine. */
export async function startCuttableNetwork(target: string): Promise<CuttableNetwork> {
  const port = Number(new URL(target).port)
  const open = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    if (isCut) return void near.destroy()
    open.add(near)
    near.on("error", () => near.destroy())
    near.on("close", () => open.delete(near))
    lead(near, port).catch(() => near.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the network has no port")
  const cut = () => {
    isCut = true
    for (const socket of open) socket.destroy()
  }
  return {
    // Without this bypass entry, Chromium uses no proxy for local addresses.
    proxy: { server: `socks5://127.0.0.1:${address.port}`, bypass: "<-loopback>" },
    cut,
    mend: () => {
      isCut = false
    },
    close: () => {
      cut()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Answers both greetings of the protocol, then connects the socket to the service. */
async function lead(near: Socket, port: number): Promise<void> {
  // Both greetings are short and wait for their answers, so each arrives in one piece.
  await once(near, "data")
  // Version 5, no login.
  near.write(Buffer.from([5, 0]))
  await once(near, "data")
  const far = connect(port, "127.0.0.1")
  far.on("error", () => near.destroy())
  far.on("close", () => near.destroy())
  near.on("close", () => far.destroy())
  await once(far, "connect")
  // Version 5, success, and an address and port that the browser ignores.
  near.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
  near.pipe(far).pipe(near)
}
