import type { PermissionRequest, Session } from "@docket/core/schema"
import { describeRequest, type RequestDescription } from "./describe-request.ts"

export interface ListedRequest {
  request: PermissionRequest
  /** How the request is described to the user. */
  shown: RequestDescription
}

/** The open requests of one session of the tree. */
export interface RequestGroup {
  sessionID: string
  /** Session titles from the root's child down; empty for the root itself. */
  path: string[]
  agent: string
  requests: ListedRequest[]
}

/** Groups open requests, which come oldest first, by the asking session. Groups and their requests keep that order. */
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

/** The requests in the order of the list. */
export function listedRequests(groups: RequestGroup[]): ListedRequest[] {
  return groups.flatMap(({ requests }) => requests)
}

/** The position of a request among the open ones, "1 of 4"; null for a single request. */
export function placeOf(listed: ListedRequest[], id: string): string | null {
  return listed.length > 1 ? `${listed.findIndex(({ request }) => request.id === id) + 1} of ${listed.length}` : null
}

/** The request `step` rows away, wrapping around at the ends; the first one if the given request is gone. */
export function neighbourOf(listed: ListedRequest[], id: string, step: number): string | null {
  const at = listed.findIndex(({ request }) => request.id === id)
  if (at < 0) return listed[0]?.request.id ?? null
  return listed.at((at + step) % listed.length)?.request.id ?? null
}
