"use client"

import type { TreeStore } from "@docket/client"
import { useTRPC, useTreeState } from "@docket/client/react"
import type { MessageWithParts, Session, ToolPart } from "@docket/core/schema"
import { skipToken, useQuery } from "@tanstack/react-query"
import { findTaskPart } from "../tree/find-task-part.ts"

/** How often the call is fetched while it runs and its parent is not loaded (ms). */
const pollMs = 3_000

/**
 * The call in the parent session that started this child. It is live if the parent's transcript is loaded, else
 * fetched; until then it is the one that the page brought along. `pending` until it is known whether there is one.
 */
export function useOriginTask(
  store: TreeStore,
  session: Session | undefined,
  sent: ToolPart | null,
): { part: ToolPart | null; pending: boolean } {
  const trpc = useTRPC()
  const live = useTreeState(store, (view) =>
    session && view.tree ? findTaskPart(session, view.tree.transcripts) : null,
  )
  const { parentID = null, origin = null } = session ?? {}
  const input =
    live === null && parentID !== null && origin !== null
      ? { sessionID: parentID, around: origin.messageID, limit: 2 }
      : skipToken
  const find = (messages: MessageWithParts[]) =>
    session && parentID !== null ? findTaskPart(session, { [parentID]: { messages, before: null, after: null } }) : null
  const fetched = useQuery(
    trpc.session.messages.queryOptions(input, {
      staleTime: pollMs,
      refetchInterval: ({ state }) => (hasEnded(find(state.data?.items ?? [])) ? false : pollMs),
    }),
  )
  const waits = input !== skipToken && fetched.isPending
  return {
    part: live ?? find(fetched.data?.items ?? []) ?? (waits ? sent : null),
    pending: session === undefined || waits,
  }
}

function hasEnded(part: ToolPart | null): boolean {
  return part?.state.status === "completed" || part?.state.status === "error"
}
