"use client"

import type { TreeState, TreeStore } from "@docket/client"
import type { TaskSummary, ToolPart } from "@docket/core/schema"
import { useEffect, useMemo } from "react"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import { toolView } from "./tool-view.ts"

/**
 * The current or last step of children, by session: "read src/main.js". Loads the newest messages of running children.
 */
export function useRunningSteps(store: TreeStore, running: readonly TaskSummary[]): ReadonlyMap<string, string> {
  const sessions = useMemo(() => running.map((task) => task.sessionID), [running])
  useEffect(() => {
    const loaded = store.get().tree?.transcripts ?? {}
    for (const id of sessions) if (loaded[id] === undefined) void store.open(id)
  }, [store, sessions])
  const parts = useStableTreeState(store, (view) => lastCalls(view.tree, sessions))
  return useMemo(() => new Map(Object.entries(parts).map(([id, part]) => [id, stepText(part)])), [parts])
}

function lastCalls(tree: TreeState | null, sessions: readonly string[]): Record<string, ToolPart> {
  const calls: Record<string, ToolPart> = {}
  for (const id of sessions) {
    const newest = tree?.transcripts[id]?.messages.findLast((entry) => entry.parts.some(isCall))
    const call = newest?.parts.findLast(isCall)
    if (call?.type === "tool") calls[id] = call
  }
  return calls
}

function isCall(part: { type: string }): boolean {
  return part.type === "tool"
}

function stepText(part: ToolPart): string {
  const { tool, title } = toolView(part)
  return `${tool} ${title}`.trim()
}
