import type { ServerResponse } from "node:http"
import type { LinkOnlooker, ShareBatch, UseCases } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"
import { formatCursor, parseCursor } from "../event/cursor.ts"
import { eventText, longestStreamMs, serveEvents } from "../http/sse.ts"

interface SharedStream {
  secret: string
  visitor: LinkOnlooker
  share: ShareInfo
  since: string | undefined
}

/**
 * Streams the copy of a share as server-sent events: `id` is the cursor in the share's own sequence, `data` an event as
 * the copy has it. When the link ends, the event `revoked` is the last one; a reader that reconnects then gets 404.
 */
export function streamShare(
  runtime: UseCases,
  res: ServerResponse,
  { secret, visitor, share, since }: SharedStream,
): Promise<void> {
  const header = res.req.headers["last-event-id"]
  const resumed = typeof header === "string" && header !== "" ? parseCursor(header) : null
  const asked = /^\d{1,15}$/.test(since ?? "") ? Number(since) : undefined
  const from = resumed?.rootID === share.id ? resumed.seq : asked
  return serveEvents(res, async (stream, closed) => {
    if (resumed === null) await runtime.links.copy.visit(share.id)
    const stop = new AbortController()
    const end = AbortSignal.any([closed, stop.signal, AbortSignal.timeout(longestStreamMs)])
    let isRevoked = false
    // When the link cannot be watched, the stream ends too.
    const watching = runtime.links.ended(secret, visitor, end).then((isDead) => {
      isRevoked = isDead
    })
    void watching.catch(() => undefined).then(() => stop.abort())
    for await (const batch of runtime.links.copy.follow(share.id, from, end))
      if (!end.aborted) await stream.sendBytes(bytesOf(share.id, batch))
    // The copy ends a moment before `watching` resolves with the reason.
    if (!closed.aborted) await Promise.race([watching.catch(() => undefined), aborted(end)])
    if (isRevoked) await stream.send({}, { event: "revoked" })
  })
}

/** The bytes of a batch, made once for all its readers. */
const written = new WeakMap<ShareBatch, Buffer>()

function bytesOf(shareID: string, batch: ShareBatch): Buffer {
  const known = written.get(batch)
  if (known !== undefined) return known
  const texts = batch.map(({ seq, json }) => eventText(json, { id: formatCursor({ rootID: shareID, seq }) }))
  const bytes = Buffer.from(texts.join(""))
  written.set(batch, bytes)
  return bytes
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })
}
