import type { ServerResponse } from "node:http"
import type { UseCases } from "@docket/core"
import type { ShareInfo } from "@docket/core/schema"
import { followTree } from "../event/follow-tree.ts"
import { serveEvents } from "../http/sse.ts"
import { publicItem } from "./public-view.ts"

const maxDurationMs = 15 * 60_000

/**
 * Streams a shared tree as server-sent events: `id` is the cursor, `data` a feed item. Ends with the
 * event `revoked` as soon as the link is dead; a reader that reconnects then gets 404.
 */
export function streamShare(
  runtime: UseCases,
  res: ServerResponse,
  { secret, share, since }: { secret: string; share: ShareInfo; since: string | undefined },
): Promise<void> {
  const header = res.req.headers["last-event-id"]
  const lastEventID = typeof header === "string" && header !== "" ? header : undefined
  const from = /^\d{1,15}$/.test(since ?? "") ? Number(since) : undefined
  return serveEvents(res, async (stream, left) => {
    const stop = new AbortController()
    const end = AbortSignal.any([left, stop.signal, AbortSignal.timeout(maxDurationMs)])
    let isRevoked = false
    // Of a link that cannot be watched nothing more is shown either.
    const watching = runtime.share.ended(secret, end).then((isDead) => {
      isRevoked = isDead
    })
    void watching.catch(() => undefined).then(() => stop.abort())
    const query = { rootID: share.rootID, since: from, others: false, lastEventID }
    for await (const [cursor, item] of followTree(runtime, query, end)) {
      const visible = publicItem(item, share.rootID)
      if (visible && !end.aborted) await stream.send(visible, { id: cursor })
    }
    if (isRevoked) await stream.send({}, { event: "revoked" })
  })
}
