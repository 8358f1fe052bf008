"use client"

import type { TreeStore } from "@docket/client"
import { useTreeState } from "@docket/client/react"
import type { Mark } from "@docket/core/marks"
import type { PermissionRequest, Session, TaskSummary } from "@docket/core/schema"
import { useMemo } from "react"
import { sessionMarks } from "./session-marks.ts"

const noSessions: Record<string, Session> = {}
const noRequests: Record<string, PermissionRequest> = {}
const noTasks: Record<string, TaskSummary> = {}

/** The live status marks of a tree, computed again only when something they depend on has changed. */
export function useSessionMarks(store: TreeStore): ReadonlyMap<string, Mark | null> {
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const permissions = useTreeState(store, (view) => view.tree?.permissions ?? noRequests)
  const tasks = useTreeState(store, (view) => view.tree?.tasks ?? noTasks)
  return useMemo(() => sessionMarks({ sessions, permissions, tasks }), [sessions, permissions, tasks])
}
