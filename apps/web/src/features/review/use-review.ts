"use client"

import { useTRPC, useTree } from "@docket/client/react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { stagesOf } from "../tree/stages-of.ts"
import { useLater } from "../tree/use-later.ts"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import { reviewsByTask } from "./reviews-by-task.ts"

/** While the tree works, what is new since a verdict or a look is counted again at most this often (ms). */
const recountMs = 1_000

/** What people say of the tasks of a tree, by task: told live, and counted again as children go on. */
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
