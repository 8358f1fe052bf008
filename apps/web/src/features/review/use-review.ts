"use client"

import { useTRPC, useTree } from "@docket/client/react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { stagesOf } from "../tree/stages-of.ts"
import { useLater } from "../tree/use-later.ts"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import { reviewsByTask } from "./reviews-by-task.ts"

/** While the tree works, new parts since a verdict or a view are counted again at most this often (ms). */
const recountMs = 1_000

/** The reviews of a tree's tasks, by task id: updated by events, and counted again while children work. */
export function useReview(rootID: string) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const store = useTree(rootID, rootID)
  const options = trpc.review.overview.queryOptions({ sessionID: rootID })
  const query = useQuery(options)
  const stages = useStableTreeState(store, (view) => stagesOf(view.tree?.sessions ?? {}))
  useLater(stages, recountMs, () => void client.invalidateQueries({ queryKey: options.queryKey }))
  const reviews = useMemo(() => reviewsByTask(query.data), [query.data])
  return { query, reviews }
}
