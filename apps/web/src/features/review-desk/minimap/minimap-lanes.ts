import type { SessionActivity, ThreadView } from "@docket/core"
import { agentPhases } from "@docket/core/agent-phases"
import type { MessageWithParts } from "@docket/core/schema"
import { type LaneLayout, type LaneSpan, layOutLanes } from "../../tools/lay-out-lanes.ts"
import { recordSpans } from "../../tools/task-spans.ts"
import type { ReviewRows } from "../task/review-rows.ts"
import { messageTime } from "./part-times.ts"

/** A comment on the minimap. `time` is when its subject was written (epoch ms). */
export interface CommentTick {
  time: number
  /** The part it refers to; null for a whole session or message, and for files. */
  partID: string | null
  /** The thread is not resolved. */
  open: boolean
}

export interface MinimapLane {
  sessionID: string
  spans: readonly LaneSpan[]
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
  /** The loaded messages of the root. */
  messages: readonly MessageWithParts[]
  /** The root's work as the server knows it, for messages that are not loaded. */
  work: SessionActivity | null
  /** The root is working. */
  live: boolean
  /** Since when a request waits (epoch ms), by session. */
  asking: Readonly<Record<string, number>>
  threads: readonly ThreadView[]
}

/** One lane for each session of a tree over their common time, in the order of the rows. `now` is epoch ms. */
export function layOutMinimap(sources: MinimapSources, now: number): Minimap {
  const { rows, rootID, asking, threads } = sources
  const all = [...rows.values()]
  const spans = all.map(({ sessionID, attempts }) =>
    sessionID === rootID
      ? rootSpans(sources)
      : attempts.flatMap((task) => recordSpans(task, asking[sessionID] ?? null)),
  )
  const layout = layOutLanes(spans, now)
  const bySession = Map.groupBy(threads, ({ thread }) => thread.sessionID)
  const lanes = all.map(({ sessionID }, index) => ({
    sessionID,
    spans: layout.lanes[index] ?? [],
    comments: (bySession.get(sessionID) ?? []).map(commentTick),
  }))
  return { lanes, layout, drawnAt: now }
}

/** The root's spans: from the server for older messages, and from the loaded messages after that. */
function rootSpans({ rootID, messages, work, live, asking }: MinimapSources): LaneSpan[] {
  const { stretches: olderSpans = [], before = null } = work ?? {}
  const loaded = before === null ? messages : messages.filter(({ info }) => info.id >= before)
  const since = asking[rootID]
  const asks: LaneSpan[] = since === undefined ? [] : [{ kind: "wait", from: since, until: null }]
  return [...olderSpans, ...agentPhases(loaded, live), ...asks]
}

function commentTick({ thread: { anchor, resolved, time } }: ThreadView): CommentTick {
  return {
    time: "messageID" in anchor ? messageTime(anchor.messageID) : time.created,
    partID: "partID" in anchor ? anchor.partID : null,
    open: resolved === null,
  }
}

/** The target of a press on a lane: a part, or a time (epoch ms). */
type MinimapTarget = { partID: string } | { time: number }

/**
 * The target of a press at a position of a lane: a comment, failure or wait within `reach` (both in ms of the displayed
 * time), or else the time itself.
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
  const near = lane.spans
    .filter(({ kind }) => kind === "error" || kind === "wait")
    .map(({ from, until }) => ({ from, off: Math.max(0, from - at, at - (until ?? at)) }))
    .filter(({ off }) => off <= reach)
    .toSorted((a, b) => a.off - b.off)[0]
  return { time: layout.timeAt(near?.from ?? at) }
}
