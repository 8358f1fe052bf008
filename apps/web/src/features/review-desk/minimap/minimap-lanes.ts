import type { SessionActivity, ThreadView } from "@docket/core"
import { agentStretches } from "@docket/core/agent-stretches"
import type { MessageWithParts } from "@docket/core/schema"
import { type LaneLayout, type LaneSpan, layOutLanes } from "../../tools/lay-out-lanes.ts"
import { recordSpans } from "../../tools/task-spans.ts"
import type { ReviewRows } from "../task/review-rows.ts"
import { messageTime } from "./part-times.ts"

/** A comment as the minimap shows it: when what it is about was written (epoch ms). */
export interface CommentTick {
  time: number
  /** The part that it is about; null for a whole session or message, and for files. */
  partID: string | null
  open: boolean
}

export interface MinimapLane {
  sessionID: string
  stretches: readonly LaneSpan[]
  comments: readonly CommentTick[]
}

export interface Minimap {
  lanes: MinimapLane[]
  layout: LaneLayout
  /** Epoch ms. */
  drawnAt: number
}

interface MinimapSources {
  rows: ReviewRows
  rootID: string
  /** The messages of the root that are loaded. */
  messages: readonly MessageWithParts[]
  /** What the root did, where not all of its messages are loaded. */
  work: SessionActivity | null
  /** The root works. */
  live: boolean
  /** Since when a request waits (epoch ms), by session. */
  asking: Readonly<Record<string, number>>
  threads: readonly ThreadView[]
}

/** A lane for each session of a tree over their common time, in the order of the rows. `now` is epoch ms. */
export function layOutMinimap(sources: MinimapSources, now: number): Minimap {
  const { rows, rootID, asking, threads } = sources
  const all = [...rows.values()]
  const stretches = all.map(({ sessionID, attempts }) =>
    sessionID === rootID
      ? rootStretches(sources)
      : attempts.flatMap((task) => recordSpans(task, asking[sessionID] ?? null)),
  )
  const layout = layOutLanes(stretches, now)
  const bySession = Map.groupBy(threads, ({ thread }) => thread.sessionID)
  const lanes = all.map(({ sessionID }, index) => ({
    sessionID,
    stretches: layout.lanes[index] ?? [],
    comments: (bySession.get(sessionID) ?? []).map(commentTick),
  }))
  return { lanes, layout, drawnAt: now }
}

/** What the service has of the root, and from there on what is loaded. */
function rootStretches({ rootID, messages, work, live, asking }: MinimapSources): LaneSpan[] {
  const { stretches: kept = [], before = null } = work ?? {}
  const loaded = before === null ? messages : messages.filter(({ info }) => info.id >= before)
  const since = asking[rootID]
  const asks: LaneSpan[] = since === undefined ? [] : [{ kind: "wait", from: since, until: null }]
  return [...kept, ...agentStretches(loaded, live), ...asks]
}

function commentTick({ thread: { anchor, resolved, time } }: ThreadView): CommentTick {
  return {
    time: "messageID" in anchor ? messageTime(anchor.messageID) : time.created,
    partID: "partID" in anchor ? anchor.partID : null,
    open: resolved === null,
  }
}

/** What a press on a lane goes to: a part, or a moment (epoch ms). */
type MinimapTarget = { partID: string } | { time: number }

/**
 * What is meant by a press at a place of a lane: a comment, failure or wait that stands within `reach` of it (both in ms of
 * the shown time), else the moment itself.
 */
export function targetAt(
  { layout }: Pick<Minimap, "layout">,
  lane: MinimapLane,
  at: number,
  reach: number,
): MinimapTarget {
  const comments = lane.comments.map((tick) => ({ tick, off: Math.abs(layout.placeOf(tick.time) - at) }))
  const comment = comments.filter(({ off }) => off <= reach).toSorted((a, b) => a.off - b.off)[0]?.tick
  if (comment?.partID != null) return { partID: comment.partID }
  const near = lane.stretches
    .filter(({ kind }) => kind === "error" || kind === "wait")
    .map(({ from, until }) => ({ from, off: Math.max(0, from - at, at - (until ?? at)) }))
    .filter(({ off }) => off <= reach)
    .toSorted((a, b) => a.off - b.off)[0]
  return { time: layout.timeAt(near?.from ?? at) }
}
