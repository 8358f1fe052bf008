import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { untilLost } from "./until-lost.ts"

export interface DocumentHead {
  type: string
  /** The name under which a browser saves it. */
  fileName: string
}

/**
 * Sends a document while it is made, at the speed of the connection. If it cannot be finished, the connection breaks
 * off, so that nobody takes a part for the whole. HEAD gets no body.
 * @param mayReadOn asked now and then; when it says no, sending stops
 */
export async function sendDocument(
  res: ServerResponse,
  { type, fileName }: DocumentHead,
  pieces: AsyncIterable<string>,
  mayReadOn?: () => Promise<boolean>,
): Promise<void> {
  const closed = new AbortController()
  res.once("close", () => closed.abort())
  const signal = mayReadOn === undefined ? closed.signal : untilLost(mayReadOn, closed.signal)
  const source = pieces[Symbol.asyncIterator]()
  // The first piece is made before the head is sent, so that a failure still gets its own status.
  let piece = await source.next()
  res.writeHead(200, { "content-type": type, "content-disposition": `attachment; filename="${fileName}"` })
  if (res.req.method === "HEAD") {
    await source.return?.()
    res.end()
    return
  }
  while (!piece.done && !signal.aborted) {
    if (!res.write(piece.value)) await once(res, "drain", { signal }).catch(() => undefined)
    piece = signal.aborted ? piece : await source.next()
  }
  if (!signal.aborted) return void res.end()
  await source.return?.()
  res.destroy()
}
