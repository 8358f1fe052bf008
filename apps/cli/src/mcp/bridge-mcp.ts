import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { z } from "zod"

/** Messages of the protocol, which this bridge carries but does not read. */
type Message = Parameters<StdioServerTransport["send"]>[0]

const Initialized = z.object({ result: z.object({ protocolVersion: z.string() }) })

/**
 * Carries messages between a client on stdin and stdout and `/mcp` of the service, until the client closes its end or
 * `signal` aborts. The service alone knows the tools.
 */
export async function bridgeMcp({ url, token }: { url: string; token: string }, signal: AbortSignal): Promise<void> {
  const client = new StdioServerTransport()
  const headers = { authorization: `Bearer ${token}` }
  const service = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } })
  const over = Promise.withResolvers<void>()
  client.onclose = over.resolve
  signal.addEventListener("abort", () => over.resolve(), { once: true })
  service.onmessage = (message) => {
    // Older revisions send the negotiated version with every later request.
    const version = Initialized.safeParse(message).data?.result.protocolVersion
    if (version !== undefined) service.setProtocolVersion(version)
    client.send(message).catch(over.reject)
  }
  client.onmessage = (message) => {
    service.send(message).catch((error: unknown) => {
      const refusal = refusalOf(message, error)
      if (refusal !== null) client.send(refusal).catch(over.reject)
    })
  }
  await service.start()
  await client.start()
  try {
    await over.promise
  } finally {
    await Promise.all([service.close(), client.close()])
  }
}

/** A code of the range that JSON-RPC leaves to servers. */
const unreachable = -32_000

/** The error that answers a request which did not reach the service. Null for what expects no answer. */
function refusalOf(message: Message, error: unknown): Message | null {
  if (!("id" in message) || !("method" in message)) return null
  const reason = error instanceof Error ? error.message : String(error)
  return { jsonrpc: "2.0", id: message.id, error: { code: unreachable, message: `Docket does not answer: ${reason}` } }
}
