import { once } from "node:events"
import type { Server } from "node:http"
import { DocketError } from "@docket/core"

/** Begins to listen. Answers with the origin, e.g. `http://127.0.0.1:4180`. @throws port_in_use */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen({ host, port })
  try {
    await once(server, "listening")
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE")) throw cause
    throw new DocketError(
      "port_in_use",
      `port ${port} on ${host} is in use by another program. Stop it, or choose another port with --port (0 takes a free one).`,
      { cause },
    )
  }
  const address = server.address()
  const bound = typeof address === "object" && address ? address.port : port
  return `http://${host === "::1" ? "[::1]" : host}:${bound}`
}

/** The Host headers that mean this service. A name that was rebound to 127.0.0.1 is not among them. */
export function ownHosts(port: string): Set<string> {
  return new Set(["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`))
}
