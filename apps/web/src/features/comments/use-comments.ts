"use client"

import { useTRPC, useTRPCClient, useTree } from "@docket/client/react"
import type { ThreadView } from "@docket/core"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import type { DraftBox, LocalDraft } from "./draft-box.ts"
import { useDraftBox } from "./use-draft-box.ts"

export interface Comments {
  /** Null until they are loaded. */
  threads: readonly ThreadView[] | null
  /** Why they could not be loaded. */
  error: { message: string } | null
  drafts: readonly LocalDraft[]
  box: DraftBox
  retry(): void
}

/** The comments on a tree, live, and the user's drafts. */
export function useComments(rootID: string): Comments {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const { box, drafts } = useDraftBox(rootID)
  const threads = useQuery(trpc.review.thread.list.queryOptions({ sessionID: rootID }))
  const own = useQuery({
    // The list together with its stamp. The key extends that of the plain list, so both are invalidated together.
    queryKey: [...trpc.review.draft.list.queryKey({ sessionID: rootID }), "stamped"],
    queryFn: async ({ signal }) => {
      const stamp = box.stamp()
      return { stamp, drafts: await client.review.draft.list.query({ sessionID: rootID }, { signal }) }
    },
    refetchOnWindowFocus: true,
  })
  const { data } = own
  useEffect(() => {
    if (data !== undefined) box.adopt(data.drafts, data.stamp)
  }, [box, data])
  useRefreshedPlaces(rootID)
  return {
    threads: threads.data ?? null,
    error: threads.isLoadingError ? threads.error : null,
    drafts,
    box,
    retry: () => void threads.refetch(),
  }
}

/**
 * Reloads the places of comments when their subjects may have moved or been undone: no event of the comment itself
 * reports this.
 */
function useRefreshedPlaces(rootID: string): void {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const stages = useStableTreeState(useTree(rootID), ({ tree }) =>
    Object.fromEntries(
      Object.values(tree?.sessions ?? {}).map(({ id, status, revert }) => [
        id,
        `${status.type === "idle"} ${revert?.messageID} ${revert?.files.state}`,
      ]),
    ),
  )
  const seen = useRef(stages)
  useEffect(() => {
    if (seen.current === stages) return
    seen.current = stages
    void queries.invalidateQueries(trpc.review.thread.list.pathFilter())
  }, [stages, queries, trpc])
}
