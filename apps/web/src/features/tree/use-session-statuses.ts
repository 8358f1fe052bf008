"use client"

import type { TreeStore } from "@docket/client"
import { useTreeState } from "@docket/client/react"
import type { PermissionRequest, Session, TaskSummary } from "@docket/core/schema"
import type { WorkStatus } from "@docket/core/work-status"
import { useMemo } from "react"
import { useAwaitedHost } from "../../shell/awaited-trees.ts"
import { sessionStatuses } from "./session-statuses.ts"

const noSessions: Record<string, Session> = {}
const noRequests: Record<string, PermissionRequest> = {}
const noTasks: Record<string, TaskSummary> = {}

/** The live status marks of a tree, computed again only when something they depend on has changed. */
export function useSessionStatuses(store: TreeStore): ReadonlyMap<string, WorkStatus | null> {
  const sessions = useTreeState(store, (view) => view.tree?.sessions ?? noSessions)
  const permissions = useTreeState(store, (view) => view.tree?.permissions ?? noRequests)
  const tasks = useTreeState(store, (view) => view.tree?.tasks ?? noTasks)
  const isAway = useAwaitedHost(useTreeState(store, (view) => view.tree?.rootID)) !== null
  return useMemo(
    () => sessionStatuses({ sessions, permissions, tasks }, isAway),
    [sessions, permissions, tasks, isAway],
  )
}
