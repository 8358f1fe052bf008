import { once } from "node:events"
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"

/** A web node behind the balancer. */
export interface Backend {
  name: string
  /** The socket file that leads to it. */
  socket: string
  /** What it accepts as its own host name. */
  host: string
}

export interface Balancer {
  url: string
  close(): void
}

/** Says which node answered. */
export const nodeHeader = "x-answered-by"

/**
 * Gives each request to the next web node. A request that got no answer, or a read that got 503, goes to the other one, as
 * nginx does with `proxy_next_upstream error http_503 non_idempotent`: requests that change something have keys.
 */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  let turn = 0
  const server = createServer(async (req, res) => {
    const body = await buffer(req).catch(() => null)
    if (body === null) return void res.destroy()
    const first = turn++
    const order = backends.map((_, at) => backends[(first + at) % backends.length] as Backend)
    for (const [at, backend] of order.entries()) {
      const answer = await ask(backend, { req, body, res })
      if (res.destroyed) return
      if (answer === null) continue
      const isLast = at === order.length - 1
      if (answer.statusCode === 503 && req.method === "GET" && !isLast) answer.resume()
      else return pass(answer, backend, res)
    }
    res.writeHead(502, { "content-type": "application/json" }).end('{"message":"no web node answered"}')
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("the balancer has no port")
  return {
    url: `http://127.0.0.1:${address.port}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

interface Exchange {
  req: IncomingMessage
  body: Buffer
  res: ServerResponse
}

/** Resolves with null when the node gave no answer. */
function ask(backend: Backend, { req, body, res }: Exchange): Promise<IncomingMessage | null> {
  return new Promise((resolve) => {
    const asked = request({
      ...{ socketPath: backend.socket, method: req.method, path: req.url },
      headers: { ...req.headers, host: backend.host, connection: "close" },
      agent: false,
    })
    asked.on("response", resolve)
    asked.on("error", () => resolve(null))
    res.on("close", () => asked.destroy())
    asked.end(body)
  })
}

function pass(answer: IncomingMessage, { name }: Backend, res: ServerResponse): void {
  res.writeHead(answer.statusCode ?? 502, { ...answer.headers, [nodeHeader]: name })
  res.flushHeaders()
  answer.pipe(res)
  // An answer that breaks off must not look like one that ended.
  answer.on("error", () => res.destroy())
  answer.on("aborted", () => res.destroy())
}
