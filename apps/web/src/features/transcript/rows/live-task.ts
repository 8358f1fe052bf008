"use client"

import type { TreeStore, TreeView } from "@docket/client"
import { useTreeState } from "@docket/client/react"
import type { TaskSummary, ToolPart } from "@docket/core/schema"
import { createContext, useContext } from "react"
import { useAwaitedHost } from "../../../shell/awaited-trees.ts"
import { type RetryStatus, retryOf } from "../../task/retry-text.ts"
import { tasksOfParts } from "../../tools/tasks-of-parts.ts"
import { askingSince } from "../../tree/asking-since.ts"
import { useStableTreeState } from "../../tree/use-stable-tree-state.ts"

/** The tree that the transcript belongs to. */
export const TaskStoreContext = createContext<TreeStore | null>(null)

export function useTaskStore(): TreeStore {
  const store = useContext(TaskStoreContext)
  if (!store) throw new Error("task cards need the transcript's tree above them")
  return store
}

/** The current state of the task that a call created or refers to; null for old calls without a task record. */
export function useLiveTask(part: ToolPart): TaskSummary | null {
  return useTreeState(useTaskStore(), (view) => findTask(view, part))
}

/** The current state of the tasks that these calls created, by part. */
export function useLiveTasks(parts: readonly ToolPart[]): Readonly<Record<string, TaskSummary>> {
  return useStableTreeState(useTaskStore(), ({ tree }) => (tree === null ? {} : tasksOfParts(tree.tasks, parts)))
}

/** Since when a request waits for a user in each of these sessions or below it (epoch ms), by session. */
export function useAsking(sessionIDs: readonly string[]): Readonly<Record<string, number>> {
  return useStableTreeState(useTaskStore(), ({ tree }) => (tree === null ? {} : askingSince(tree, sessionIDs)))
}

/** Whether the work of the tree waits for a host. */
export function useIsAway(): boolean {
  return useAwaitedHost(useTreeState(useTaskStore(), ({ tree }) => tree?.rootID)) !== null
}

/** The retry status of a child whose provider failed; null when there is no retry. */
export function useRetry(sessionID: string | null): RetryStatus | null {
  return useTreeState(useTaskStore(), ({ tree }) => retryOf(tree?.sessions[sessionID ?? ""]?.status))
}

function findTask({ tree }: TreeView, part: ToolPart): TaskSummary | null {
  return tree ? (tasksOfParts(tree.tasks, [part])[part.id] ?? null) : null
}
