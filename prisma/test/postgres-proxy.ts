import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

/** What happens to the next commit: it is lost, its answer is lost, or it arrives when the test says. */
export type CommitFault = "unsent" | "unanswered" | "late"

/** A way to a PostgreSQL server that breaks a connection in the middle of a commit. */
export interface PostgresProxy {
  url: string
  /** Breaks the connection of the next commit in this way. Resolves then; the function sends on a late commit. */
  breakNext(fault: CommitFault): Promise<() => void>
  stop(): Promise<void>
}

/** A commit as `pg` sends it, as a simple query (PostgreSQL manual, Message Formats). */
const commit = Buffer.from("COMMIT\0")

export async function startPostgresProxy(server: string): Promise<PostgresProxy> {
  const target = new URL(server)
  const sockets = new Set<Socket>()
  let next: { fault: CommitFault; broken: (sendLate: () => void) => void } | null = null
  const listener = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.once("close", () => sockets.delete(socket))
    }
    let isBroken = false
    upstream.on("data", (bytes) => isBroken || client.write(bytes))
    upstream.once("close", () => isBroken || client.destroy())
    client.once("close", () => isBroken || upstream.destroy())
    client.on("data", (bytes) => {
      if (next === null || !bytes.includes(commit)) return upstream.write(bytes)
      const { fault, broken } = next
      next = null
      isBroken = true
      if (fault === "unsent") upstream.destroy()
      if (fault === "unanswered") {
        upstream.once("data", () => {
          client.destroy()
          upstream.destroy()
          broken(() => {})
        })
        return upstream.write(bytes)
      }
      client.destroy()
      broken(() => void upstream.write(bytes, () => upstream.end()))
    })
  }).listen(0, "127.0.0.1")
  await once(listener, "listening")
  const address = listener.address()
  if (address === null || typeof address === "string") throw new Error("the system gave no port")
  const url = new URL(server)
  url.port = String(address.port)
  return {
    url: url.href,
    breakNext: (fault) =>
      new Promise((broken) => {
        next = { fault, broken }
      }),
    async stop() {
      listener.close()
      for (const socket of sockets) socket.destroy()
      await once(listener, "close")
    },
  }
}
