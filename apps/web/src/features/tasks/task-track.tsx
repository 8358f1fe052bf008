"use client"

import type { TaskSummary } from "@docket/core/schema"
import { createContext, useContext } from "react"
import { LaneTrack } from "../tools/lane-track.tsx"
import { type LaneLayout, layOutLanes } from "../tools/lay-out-lanes.ts"
import { recordStretches } from "../tools/task-stretches.ts"

/** The lanes of all tasks of a tree over their common time. */
export interface TaskTracks {
  layout: LaneLayout
  /** Places in the layout, by task. */
  place: ReadonlyMap<string, number>
  drawnAt: number
}

/** `asking` says since when a request waits (epoch ms), by session. */
export function taskTracks(tasks: readonly TaskSummary[], asking: Readonly<Record<string, number>>): TaskTracks {
  const drawnAt = Date.now()
  const stretches = tasks.map((task) => recordStretches(task, asking[task.sessionID] ?? null))
  return {
    layout: layOutLanes(stretches, drawnAt),
    place: new Map(tasks.map(({ id }, index) => [id, index])),
    drawnAt,
  }
}

export const TaskTracksContext = createContext<TaskTracks | null>(null)

/** The bar of one task: its row is not drawn again when another one's end changes the common time. */
export function TaskTrack({ task }: { task: Pick<TaskSummary, "id" | "agent"> }) {
  const tracks = useContext(TaskTracksContext)
  const stretches = tracks?.layout.lanes[tracks.place.get(task.id) ?? -1]
  if (tracks === null || stretches === undefined) return null
  return <LaneTrack layout={tracks.layout} stretches={stretches} agent={task.agent} />
}
