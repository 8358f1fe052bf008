import type { SharedTree } from "@docket/client"
import type { MessagePage } from "@docket/core/store"
import { cache } from "react"
import { internalURL } from "./env.ts"

export type SharedPage = MessagePage & { seq: number }

/** Which stretch of a transcript; without any of them, the newest. */
export interface PageAnchor {
  before?: string | undefined
  after?: string | undefined
  around?: string | undefined
}

/** The shared tree, or null when the link is dead. Asked once a request. */
export const fetchSharedTree = cache(
  async (secret: string): Promise<SharedTree | null> =>
    fetchJson<SharedTree>(`/api/share/${encodeURIComponent(secret)}`),
)

/** Messages of one session of the tree, or null when it is not part of it. */
export async function fetchSharedMessages(
  secret: string,
  sessionID: string,
  query: PageAnchor & { limit: number },
): Promise<SharedPage | null> {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )
  return fetchJson(`/api/share/${encodeURIComponent(secret)}/session/${encodeURIComponent(sessionID)}?${search}`)
}

async function fetchJson<T>(path: string): Promise<T | null> {
  // Within one process nothing is gained by packing and unpacking. What a page asks for is no visit of its own: it is
  // made again whenever something happened.
  const headers = { "accept-encoding": "identity", "x-docket-page": "1" }
  const response = await fetch(new URL(path, internalURL()), { cache: "no-store", headers })
  if (response.status === 404 || response.status === 400) return null
  if (!response.ok) throw new Error(`the service answered ${response.status} for a shared page`)
  // Our own API of the same version: its types are the contract.
  return (await response.json()) as T
}
