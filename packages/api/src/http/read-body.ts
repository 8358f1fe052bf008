import type { IncomingMessage } from "node:http"

/**
 * A body up to this many times the limit is read to its end, so that its sender gets an answer. With a larger one, the
 * connection is closed.
 */
const patience = 16

/**
 * The body; null when it is larger than `maxBytes`. The rest of such a body is read and dropped: closing the connection
 * while the sender writes would lose the answer.
 */
export async function readBody(req: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of req) {
    size += chunk.length
    if (size > maxBytes) chunks.length = 0
    else chunks.push(chunk)
    if (size > patience * maxBytes) break
  }
  return size > maxBytes ? null : Buffer.concat(chunks)
}
