import type { Metadata } from "next"
import { fetchSharedTree } from "./fetch-share.ts"

/** Title of a shared page. The address is a secret: no index, and no referrer to where links lead. */
export async function shareMetadata(secret: string, child: string | null): Promise<Metadata> {
  const shared = await fetchSharedTree(secret)
  const session = shared?.tree.sessions.find(({ id }) => id === (child ?? shared.share.rootID))
  return {
    title: session ? session.title || "Untitled session" : "Link not found",
    robots: { index: false, follow: false },
    referrer: "no-referrer",
  }
}
