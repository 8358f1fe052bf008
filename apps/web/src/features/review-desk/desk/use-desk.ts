"use client"

import type { TreeSeed } from "@docket/client"
import { useTree, useTreeState } from "@docket/client/react"
import type { PermissionRequest, Session, TaskSummary } from "@docket/core/schema"
import { useEffect, useMemo, useState } from "react"
import { useReview } from "../../review/use-review.ts"
import { reviewRows } from "../task/review-rows.ts"
import { placedRow, placedTask, taskParam } from "./desk-place.ts"
import { useDeskPlace } from "./use-desk-place.ts"

const noSessions: Record<string, Session> = {}
const noRequests: Record<string, PermissionRequest> = {}
const noTasks: Record<string, TaskSummary> = {}

/** The reviewed tree, live, and the user's place in it. It starts with the data that was sent with the page. */
export function useDesk(rootID: string, seed: TreeSeed | null = null) {
  const store = useTree(rootID, rootID, seed)
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const tasks = useTreeState(store, (view) => view.tree?.tasks ?? noTasks)
  const permissions = useTreeState(store, (view) => view.tree?.permissions ?? noRequests)
  const loaded = useTreeState(store, (view) => view.tree !== null)
  const removed = useTreeState(store, (view) => view.tree?.removed ?? false)
  const error = useTreeState(store, (view) => view.error)
  const { query, reviews } = useReview(rootID)
  const rows = useMemo(
    () => reviewRows({ rootID, sessions, tasks, permissions }, reviews),
    [rootID, sessions, tasks, permissions, reviews],
  )
  const { place, go } = useDeskPlace(rootID)
  // Without a task in the address, the verdicts decide which task comes first, so they must be loaded.
  const known = loaded && (place.task !== null || !query.isPending)
  const [firstTask, setFirstTask] = useState<string | null>(null)
  const row = known ? placedRow(rows, rootID, place.task ?? firstTask) : null
  // A new verdict must not move the user to another task. So the first task is fixed, here and in the address.
  if (place.task === null && firstTask === null && row !== null) setFirstTask(taskParam(row))
  useEffect(() => {
    if (place.task === null && firstTask !== null) go({ ...place, task: firstTask }, "replace")
  }, [firstTask, go, place])
  const task = row && placedTask(row, place.attempt)
  return {
    rootID,
    store,
    loaded,
    /** The root session does not exist, or was deleted while it was shown. */
    gone: removed || (loaded && sessions[rootID] === undefined),
    error,
    /** Why verdicts cannot be shown. */
    reviewError: query.data === undefined ? query.error : null,
    retry: () => void query.refetch(),
    rows,
    /** The shown row; null until it is known. */
    row,
    /** The attempt of the row that the address names, or else the newest; null for the root. */
    task,
    review: row?.review ?? null,
    place,
    go,
  }
}

export type Desk = ReturnType<typeof useDesk>
