import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { onTestFinished } from "vitest"
import { z } from "zod"

const Message = z.object({ id: z.union([z.int(), z.string()]).optional(), method: z.string() })

export interface RemoteServer {
  url: string
  /** Methods that were called, in their order; headers of the last request. */
  called: string[]
  headers(): IncomingMessage["headers"]
  /** Answers every request from now on. */
  answer(write: ((response: ServerResponse) => void) | null): void
  /** Forgets the session, as a server does that was started anew. */
  forget(): void
}

/** A small server that speaks Streamable HTTP. */
export async function startRemoteServer(): Promise<RemoteServer> {
  const called: string[] = []
  let session = 1
  let override: ((response: ServerResponse) => void) | null = null
  let headers: IncomingMessage["headers"] = {}
  const results: Record<string, () => object> = {
    initialize: () => ({
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "remote", version: "1" },
    }),
    "tools/list": () => ({ tools: [{ name: "say", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: `session ${session}` }] }),
  }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    headers = request.headers
    if (override !== null) return override(response)
    if (request.method !== "POST") return void response.writeHead(405).end()
    const { id, method } = Message.parse(JSON.parse(body))
    called.push(method)
    const sent = request.headers["mcp-session-id"]
    if (method !== "initialize" && method !== "server/discover" && sent !== String(session))
      return void response.writeHead(404).end()
    if (id === undefined) return void response.writeHead(202).end()
    const result = results[method]?.()
    const answer = result ? { result } : { error: { code: -32601, message: "Method not found" } }
    response.writeHead(200, { "content-type": "application/json", "mcp-session-id": String(session) })
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...answer }))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/mcp`,
    called,
    headers: () => headers,
    answer(write) {
      override = write
    },
    forget() {
      session += 1
    },
  }
}
