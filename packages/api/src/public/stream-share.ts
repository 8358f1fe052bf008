import type { ServerResponse } from "node:http"
import type { Runtime } from "@docket/core"
import type { Share } from "@docket/core/schema"
import { followTree } from "../event/follow-tree.ts"
import { serveEvents } from "../http/sse.ts"
import { publicItem } from "./public-view.ts"

/** How long a stream that is silent may outlive its link. */
const recheckMs = 2_000
const maxDurationMs = 15 * 60_000

/**
 * Streams a shared tree as server-sent events: `id` is the cursor, `data` a feed item. Ends with the
 * event `revoked` as soon as the link is dead; a reader that reconnects then gets 404.
 */
export function streamShare(
  runtime: Runtime,
  res: ServerResponse,
  { secret, share, url }: { secret: string; share: Share; url: URL },
): Promise<void> {
  const header = res.req.headers["last-event-id"]
  const lastEventID = typeof header === "string" && header !== "" ? header : undefined
  const since = /^\d{1,15}$/.test(url.searchParams.get("since") ?? "")
    ? Number(url.searchParams.get("since"))
    : undefined
  return serveEvents(res, async (stream, left) => {
    const dead = new AbortController()
    const isDead = async () => {
      if ((await runtime.share.resolve(secret)) === null) dead.abort()
      return dead.signal.aborted
    }
    // A store that fails here fails at the next event too, which ends the stream.
    const timer = setInterval(() => void isDead().catch(() => undefined), recheckMs)
    const end = AbortSignal.any([left, dead.signal, AbortSignal.timeout(maxDurationMs)])
    try {
      const query = { rootID: share.rootID, since, others: false, lastEventID }
      for await (const [cursor, item] of followTree(runtime, query, end)) {
        if (await isDead()) break
        const visible = publicItem(item, share.rootID)
        if (visible) await stream.send(visible, { id: cursor })
      }
    } finally {
      clearInterval(timer)
    }
    if (dead.signal.aborted) await stream.send({}, { event: "revoked" })
  })
}
