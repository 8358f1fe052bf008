import { headers } from "next/headers"
import { cardName, drawCard } from "./draw-card.tsx"
import { readSharedPart, readSharedTree } from "./read-share.ts"
import { shareCard } from "./share-card.ts"
import type { SharePlace } from "./share-place.ts"

/**
 * The preview image of a link, with what this visitor may see; otherwise 404. Browsers must revalidate it each time,
 * because a link may be revoked; it is sent again only when it changed.
 */
export async function shareImage({ secret, child, part: partID }: SharePlace): Promise<Response> {
  const shared = await readSharedTree(secret)
  const part = shared && partID !== undefined ? await readSharedPart(secret, partID) : null
  const sessionID = part?.sessionID ?? child ?? shared?.share.rootID
  const session = shared?.tree.sessions.find(({ id }) => id === sessionID)
  const isMissing = partID !== undefined && part === null
  if (!shared || !session || isMissing) return new Response(null, { status: 404 })
  const card = shareCard(shared, session, part?.part ?? null)
  const tag = `"${cardName(card)}"`
  const caching = { etag: tag, "cache-control": "private, no-cache" }
  if ((await headers()).get("if-none-match") === tag) return new Response(null, { status: 304, headers: caching })
  return new Response(new Uint8Array(await drawCard(card)), { headers: { ...caching, "content-type": "image/png" } })
}
