import { once } from "node:events"
import type { ServerResponse } from "node:http"
import { untilLost } from "./until-lost.ts"

export interface DocumentHead {
  type: string
  /** What a browser saves it as. */
  fileName: string
}

/**
 * Sends a document as it is made, never more of it than the connection takes. A document that cannot be finished breaks off,
 * so that nobody takes it for whole. HEAD gets none.
 * @param mayReadOn asked now and then: who may not any more gets no more of it
 */
export async function sendDocument(
  res: ServerResponse,
  { type, fileName }: DocumentHead,
  pieces: AsyncIterable<string>,
  mayReadOn?: () => Promise<boolean>,
): Promise<void> {
  const left = new AbortController()
  res.once("close", () => left.abort())
  const signal = mayReadOn === undefined ? left.signal : untilLost(mayReadOn, left.signal)
  const source = pieces[Symbol.asyncIterator]()
  // A failure before anything was sent is answered as such.
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
