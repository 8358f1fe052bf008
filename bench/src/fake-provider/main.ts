import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as delay } from "node:timers/promises"
import { type Answer, decideAnswer, toEvents } from "./answer.ts"
import { ChatRequest, readDirective } from "./directive.ts"
import { createFailures } from "./failures.ts"

// An OpenAI-compatible endpoint in a separate process, so that its work is not counted as the server's.
// POST /v1/chat/completions; GET /time?id=X returns the milliseconds spent on answers of directive X, and when it was
// first asked for one.
// If the argument is not 0, one call in that many fails.

const spent = new Map<string, number>()
const asked = new Map<string, number>()
const failures = createFailures(Number(process.argv[2] ?? 0))

const server = createServer((request, response) => {
  void handle(request, response).catch((error: unknown) => {
    response.statusCode = 400
    response.end(JSON.stringify({ error: { message: String(error) } }))
  })
})

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://provider")
  if (url.pathname === "/time") {
    const id = url.searchParams.get("id") ?? ""
    response.end(JSON.stringify({ ms: spent.get(id) ?? 0, asked: asked.get(id) ?? 0 }))
    return
  }
  const start = performance.now()
  const arrived = Date.now()
  const chat = ChatRequest.parse(JSON.parse(await text(request)))
  const found = readDirective(chat)
  // Requests without tools are for session titles: answered at once and not counted.
  if (!found || !chat.tools?.length) return stream(response, { kind: "text", chunks: ["A bench session"] }, chat.model)
  const { directive, step } = found
  if (!asked.has(directive.id)) asked.set(directive.id, arrived)
  await delay(directive.latency)
  if (failures.take(response)) return
  response.on("finish", () => spent.set(directive.id, (spent.get(directive.id) ?? 0) + performance.now() - start))
  await stream(response, decideAnswer(directive, step), chat.model)
}

async function stream(response: ServerResponse, answer: Answer, model: string): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" })
  const every = answer.kind === "text" ? (answer.every ?? 0) : 0
  for (const event of toEvents(answer, model)) {
    response.write(event)
    if (every > 0) await delay(every)
  }
  response.end()
}

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address && typeof address === "object") console.log(JSON.stringify({ url: `http://127.0.0.1:${address.port}` }))
})
process.on("SIGTERM", () => process.exit(0))
