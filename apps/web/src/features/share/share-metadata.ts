import type { Metadata } from "next"
import { fetchSharedTree } from "./fetch-share.ts"

/** Title of a shared page. The address is a secret: no referrer to where links lead, and no index unless its owner wants it. */
export async function shareMetadata(secret: string, child: string | null): Promise<Metadata> {
  const shared = await fetchSharedTree(secret)
  const session = shared?.tree.sessions.find(({ id }) => id === (child ?? shared.share.rootID))
  return {
    title: session ? session.title || "Untitled session" : "Link not found",
    robots: { index: shared?.share.indexed ?? false, follow: false },
    referrer: "no-referrer",
  }
}
