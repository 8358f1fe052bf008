import type { ListedNode } from "@docket/core/schema"
import type { Status } from "../../../../../ui/status.ts"

export const nodeStates = {
  live: { status: "done", label: "Live" },
  draining: { status: "stopped", label: "Takes no more sessions" },
  gone: { status: "failed", label: "Gone" },
} as const satisfies Record<ListedNode["state"], { status: Status; label: string }>

export const nodeRoles = {
  all: "does everything",
  web: "answers requests",
  worker: "runs agents",
} as const satisfies Record<ListedNode["role"], string>

const sessions = (count: number) => (count === 1 ? "1 session" : `${count} sessions`)

/** What the node works on, and what waits for it: "works on 2 sessions", "1 waits". */
export function workOf({ role, state, atWork, waiting }: ListedNode): string[] {
  if (role === "web") return []
  const works = atWork === 0 ? "works on nothing" : `works on ${sessions(atWork)}`
  const waits = `${waiting} ${waiting === 1 ? "waits" : "wait"}`
  return [...(state === "gone" ? [] : [works]), ...(waiting === 0 ? [] : [waits])]
}

/** The storage that the node shares with others. */
export function storageOf({ places }: ListedNode): string[] {
  return places.flatMap((place) => (place.startsWith("storage:") ? [`storage ${place.slice("storage:".length)}`] : []))
}
