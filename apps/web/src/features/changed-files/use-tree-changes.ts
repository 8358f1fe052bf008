"use client"

import { useTRPC, useTree } from "@docket/client/react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { stagesOf } from "../tree/stages-of.ts"
import { useLater } from "../tree/use-later.ts"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import type { TaskName } from "./changed-files.ts"

/**
 * Minimum time between two fetches of the list while the tree works (ms), because the server reads the whole tree for
 * it.
 */
const refreshMs = 3_000

/** The changes of a tree, fetched again when a step ends or something is undone. */
export function useTreeChanges(rootID: string) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const store = useTree(rootID)
  const options = trpc.changes.list.queryOptions({ sessionID: rootID })
  const query = useQuery({ ...options, staleTime: refreshMs })
  const stages = useStableTreeState(store, (view) => stagesOf(view.tree?.sessions ?? {}))
  const tasks = useStableTreeState(store, (view) => view.tree?.tasks ?? {})
  useLater(stages, refreshMs, () => void client.invalidateQueries({ queryKey: options.queryKey }))
  const names = useMemo((): TaskName[] => Object.values(tasks), [tasks])
  return { query, tasks: names }
}
