import type { SharedTree, ShareReader, ShareVisitor } from "@docket/client/pages"
import type { SharedMessages, SharedPart } from "@docket/core"
import { headers } from "next/headers"
import { cache } from "react"
import { withoutDirectionMarks } from "./without-direction-marks.ts"

type MessagesQuery = Parameters<ShareReader["messages"]>[1]

/** The shared tree; null for a dead link. Cached for the request. */
export const readSharedTree = cache(
  async (secret: string): Promise<SharedTree | null> =>
    withoutDirectionMarks(await reader().tree(await visitor(secret))),
)

/** Messages of one session of the tree, or null when it is not part of it. */
export async function readSharedMessages(secret: string, query: MessagesQuery): Promise<SharedMessages | null> {
  return withoutDirectionMarks(await reader().messages(await visitor(secret), query))
}

/** A part of any session of the tree, or null. Cached for the request. */
export const readSharedPart = cache(
  async (secret: string, partID: string): Promise<SharedPart | null> =>
    withoutDirectionMarks(await reader().part(await visitor(secret), partID)),
)

/** How many viewers follow the share now. */
export async function countReaders(secret: string): Promise<number> {
  return await reader().readers(await visitor(secret))
}

async function visitor(secret: string): Promise<ShareVisitor> {
  return { secret, cookie: (await headers()).get("cookie") ?? undefined }
}

/** The interface that the server provides to these pages in its own process. */
function reader(): ShareReader {
  const offered: { [key: symbol]: unknown } = globalThis
  const found = offered[Symbol.for("docket.shares")]
  if (found === undefined) throw new Error("shared pages are served by the Docket service only")
  // Set by the server, which has the same version.
  return found as ShareReader
}
