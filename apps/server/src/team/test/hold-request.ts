import { once } from "node:events"
import { type IncomingMessage, request } from "node:http"
import { text } from "node:stream/consumers"

export interface HeldRequest {
  /** The status of an answer that is sent before the body. */
  refused: Promise<number>
  /** Sends the body, and resolves with the answer. */
  finish(): Promise<{ status: number; body: string }>
}

/** A request whose headers the service has received, and whose body is held back. */
export async function holdRequest(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: object },
): Promise<HeldRequest> {
  const content = JSON.stringify(body)
  const sent = { "content-type": "application/json", "content-length": Buffer.byteLength(content), ...headers }
  const call = request(url, { method: "POST", headers: { ...sent, expect: "100-continue" } })
  const answer = once(call, "response") as Promise<[IncomingMessage]>
  answer.catch(() => undefined)
  const refused = answer.then(([response]) => response.statusCode ?? 0)
  refused.catch(() => undefined)
  call.flushHeaders()
  await once(call, "continue")
  return {
    refused,
    async finish() {
      call.end(content)
      const [response] = await answer
      return { status: response.statusCode ?? 0, body: await text(response) }
    },
  }
}
