import { timingSafeEqual } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

interface MetricsServerOptions {
  host: string
  port: number
  /** What a reader has to send; null where only this machine can connect. */
  token: string | null
  answer(req: IncomingMessage, res: ServerResponse): void
}

export interface MetricsServer {
  /** The port that it listens on. */
  port: number
  close(): void
}

/** Serves `/metrics` at an address of its own. @throws Error of the system, such as EADDRINUSE */
export async function openMetricsServer({ host, port, token, answer }: MetricsServerOptions): Promise<MetricsServer> {
  const server = createServer((req, res) => {
    if (new URL(req.url ?? "/", "http://metrics").pathname !== "/metrics") return void res.writeHead(404).end()
    if (req.method !== "GET") return void res.writeHead(405).end()
    if (token !== null && !isToken(req.headers.authorization, token))
      return void res.writeHead(401, { "www-authenticate": "Bearer" }).end()
    answer(req, res)
  })
  server.listen(port, host)
  await once(server, "listening")
  server.unref()
  const address = server.address()
  return {
    port: typeof address === "object" && address !== null ? address.port : port,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function isToken(header: string | undefined, token: string): boolean {
  const [given, wanted] = [Buffer.from(header ?? ""), Buffer.from(`Bearer ${token}`)]
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
