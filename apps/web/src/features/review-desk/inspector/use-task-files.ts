"use client"

import { useMemo } from "react"
import { filesOf } from "../../changed-files/changed-files.ts"
import { useTreeChanges } from "../../changed-files/use-tree-changes.ts"
import { changesOf } from "../task/changes-of.ts"

/** The files that a task changed; for null, those that the root session changed itself. */
export function useTaskFiles(rootID: string, taskID: string | null) {
  const { query, tasks } = useTreeChanges(rootID)
  const { data } = query
  const files = useMemo(() => (data === undefined ? null : filesOf(changesOf(data.changes, taskID))), [data, taskID])
  return { query, tasks, files }
}
