import type { Past } from "./timeline.ts"
import type { TreeState } from "./tree-state.ts"

type Rows = Pick<TreeState, "sessions" | "tasks">

/** What a replay stops at. A wait stands at its beginning. */
export interface Stop {
  at: number
  kind: "prompt" | "error" | "wait" | "other"
}

/** Everything that happened in a tree, by time: what sessions did, and what became of tasks and todos. */
export function stopsOf(rows: Rows, { moments, changes }: Past): Stop[] {
  const stops: Stop[] = Object.values(rows.sessions).map(({ time }) => ({ at: time.created, kind: "other" }))
  for (const { at, kind } of moments) stops.push({ at, kind: kind === "prompt" || kind === "error" ? kind : "other" })
  for (const { at } of changes) stops.push({ at, kind: "other" })
  for (const { time, moments: outstanding = [] } of Object.values(rows.tasks)) {
    for (const at of [time.created, time.started, time.ended]) if (at !== null) stops.push({ at, kind: "other" })
    for (const { kind, from, until } of outstanding) {
      if (kind === "wait") stops.push({ at: from, kind }, { at: until, kind: "other" })
    }
  }
  return stops.sort((a, b) => a.at - b.at)
}

/** The last moment of a tree (epoch ms). */
export function pastEnd(rows: Rows, past: Past): number {
  let end = 0
  for (const { at } of stopsOf(rows, past)) end = Math.max(end, at)
  return end
}
