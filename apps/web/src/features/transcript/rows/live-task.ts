"use client"

import type { TreeStore, TreeView } from "@docket/client"
import { useTreeState } from "@docket/client/react"
import type { TaskSummary, ToolPart } from "@docket/core/schema"
import { readToolCall } from "@docket/core/tool-metadata"
import { createContext, useContext } from "react"

/** The tree that the transcript belongs to. */
export const TaskStoreContext = createContext<TreeStore | null>(null)

function useTaskStore(): TreeStore {
  const store = useContext(TaskStoreContext)
  if (!store) throw new Error("task cards need the transcript's tree above them")
  return store
}

/** The task that a call made or speaks of, as it stands now; null for calls of before there were task records. */
export function useLiveTask(part: ToolPart): TaskSummary | null {
  return useTreeState(useTaskStore(), (view) => findTask(view, part))
}

/** The tree's tasks by id. */
export function useLiveTasks(): Readonly<Record<string, TaskSummary>> | null {
  return useTreeState(useTaskStore(), (view) => view.tree?.tasks ?? null)
}

export function taskOfPart(tasks: Readonly<Record<string, TaskSummary>>, part: ToolPart): TaskSummary | null {
  const call = readToolCall(part)
  const named = call.tool === "async_task" && call.metadata !== null ? tasks[call.metadata.taskId] : undefined
  return named ?? Object.values(tasks).findLast((task) => task.partID === part.id) ?? null
}

function findTask({ tree }: TreeView, part: ToolPart): TaskSummary | null {
  return tree ? taskOfPart(tree.tasks, part) : null
}
