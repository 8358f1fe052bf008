"use client"

import type { TaskSummary } from "@docket/core/schema"
import { createContext, useContext } from "react"
import { LaneTrack } from "../tools/lane-track.tsx"
import type { TaskTracks } from "./task-tracks.ts"

export const TaskTracksContext = createContext<TaskTracks | null>(null)

/** The bar of one task. A context, so that the row itself does not render again when the common time changes. */
export function TaskTrack({ task }: { task: Pick<TaskSummary, "id" | "agent"> }) {
  const tracks = useContext(TaskTracksContext)
  const spans = tracks?.layout.lanes[tracks.place.get(task.id) ?? -1]
  if (tracks === null || spans === undefined) return null
  return <LaneTrack layout={tracks.layout} spans={spans} agent={task.agent} />
}
