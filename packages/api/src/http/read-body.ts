import type { IncomingMessage } from "node:http"

/** How many times the limit is read to its end, to answer it. What is larger still loses its connection. */
const patience = 16

/**
 * The body, null when it is larger than `maxBytes`. What is too much is read and thrown away: a connection
 * that is closed on the sender's words takes the answer along.
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
