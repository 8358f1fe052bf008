import type { PermissionRequest, Session } from "@docket/core/schema"
import { describeRequest, type RequestDescription } from "./describe-request.ts"

export interface ListedRequest {
  request: PermissionRequest
  shown: RequestDescription
}

/** The open requests of one session of the tree. */
export interface RequestGroup {
  sessionID: string
  /** Titles from the root's child down; empty for the root itself. */
  path: string[]
  agent: string
  requests: ListedRequest[]
}

/** Open requests by the session that asks: the one that waits longest first, in each group too. */
export function groupRequests(requests: PermissionRequest[], sessions: Session[]): RequestGroup[] {
  const groups = new Map<string, RequestGroup>()
  for (const request of requests) {
    const shown = describeRequest(request, sessions)
    const { sessionID } = request
    const group = groups.get(sessionID) ?? { sessionID, path: shown.path, agent: shown.agent, requests: [] }
    group.requests.push({ request, shown })
    groups.set(sessionID, group)
  }
  return [...groups.values()]
}

/** In the order in which the list shows them. */
export function listedRequests(groups: RequestGroup[]): ListedRequest[] {
  return groups.flatMap(({ requests }) => requests)
}

/** Where a request stands among all that wait, "1 of 4"; null when it is alone. */
export function placeOf(listed: ListedRequest[], id: string): string | null {
  return listed.length > 1 ? `${listed.findIndex(({ request }) => request.id === id) + 1} of ${listed.length}` : null
}

/** The request that stands `step` rows from another, around the ends; the first when that one is gone. */
export function neighbourOf(listed: ListedRequest[], id: string, step: number): string | null {
  const at = listed.findIndex(({ request }) => request.id === id)
  if (at < 0) return listed[0]?.request.id ?? null
  return listed.at((at + step) % listed.length)?.request.id ?? null
}
