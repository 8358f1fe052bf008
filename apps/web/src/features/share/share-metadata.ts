import type { SharedTree } from "@docket/client/pages"
import type { Session } from "@docket/core/schema"
import type { Metadata } from "next"
import { cleanLine } from "./clean-line.ts"
import { describeShare } from "./describe-share.ts"
import { excerptOf } from "./excerpt-of.ts"
import { readSharedPart, readSharedTree } from "./read-share.ts"
import type { SharePlace } from "./share-place.ts"

/**
 * Title, description and preview image of a shared page, from the shared copy only. The address is a secret: linked
 * sites get no referrer, and search engines do not index it unless the owner wants it.
 */
export async function shareMetadata({ secret, child, part }: SharePlace): Promise<Metadata> {
  const shared = await readSharedTree(secret)
  const linked = shared && part !== undefined ? await readSharedPart(secret, part) : null
  const isMissing = part !== undefined && linked === null
  const session = isMissing ? undefined : sessionOf(shared, linked?.sessionID ?? child)
  const robots = { index: shared?.share.indexed ?? false, follow: false }
  if (shared === null || session === undefined) return { title: "Link not found", robots, referrer: "same-origin" }
  const title = cleanLine(session.title, 120) || "Untitled session"
  const description = cleanLine((linked && excerptOf(linked.part)?.text) ?? describeShare(shared, session), 200)
  return {
    title,
    description,
    robots,
    referrer: "same-origin",
    alternates: { types: { "text/markdown": `/api/share/${secret}.md` } },
    openGraph: { type: "article", siteName: "Docket", title, description },
    twitter: { card: "summary_large_image", title, description },
  }
}

function sessionOf(shared: SharedTree | null, id: string | undefined): Session | undefined {
  return shared?.tree.sessions.find((session) => session.id === (id ?? shared.share.rootID))
}
