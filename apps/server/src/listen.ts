import { once } from "node:events"
import type { Server } from "node:http"
import { Server as SecureServer } from "node:tls"
import { DocketError } from "@docket/core"

/**
 * Starts to listen. Returns the origin, e.g. `http://127.0.0.1:4180`.
 * @throws port_in_use, config_invalid for an address of another machine, or a port that the user may not use
 */
export async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen({ host, port })
  try {
    await once(server, "listening")
  } catch (cause) {
    throw refusalOf(cause, host, port) ?? cause
  }
  const address = server.address()
  const bound = typeof address === "object" && address ? address.port : port
  const scheme = server instanceof SecureServer ? "https" : "http"
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${bound}`
}

function refusalOf(cause: unknown, host: string, port: number): DocketError | null {
  const code = cause instanceof Error && "code" in cause ? cause.code : null
  if (code === "EADDRINUSE") {
    const message = `port ${port} on ${host} is in use by another program. Stop it, or choose another port with --port (0 takes a free one).`
    return new DocketError("port_in_use", message, { cause })
  }
  if (code === "EADDRNOTAVAIL")
    return new DocketError("config_invalid", `--host ${host} is no address of this machine.`, { cause })
  if (code !== "EACCES") return null
  const message = `this user may not listen on port ${port}. Choose one from 1024 on with --port, or allow it to (docs/team.md).`
  return new DocketError("config_invalid", message, { cause })
}

/** The accepted Host headers. A name that was rebound to 127.0.0.1 (DNS rebinding) is not among them. */
export function ownHosts(port: string): Set<string> {
  return new Set(["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`))
}
