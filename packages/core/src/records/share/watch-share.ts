import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Follower } from "../../ground/event/follow-trees.ts"
import type { DocketEvent } from "../../ground/schema/index.ts"

export interface WatchShareDeps {
  bus: Bus
  follower: Pick<Follower, "follow">
  timers?: Timers
  onError(error: unknown): void
}

/** What changes together is looked at together once nothing has changed for so long (ms): the turn waits for its model then. */
const quietMs = 10
/** How often quiet is waited for: work that never rests is looked at in between. */
const looks = 5
/**
 * A reader sees no more changes a second than it can show, and the more read them, the more of them are told together: each
 * batch is written to each reader, 15 µs of the process in which the turn runs (ms).
 */
const pause = { least: 100, eachReader: 0.25, most: 150 }

interface ShareWatch {
  /** How many read it. */
  readers(): number
  run(): Promise<void>
}

/** Calls `run` once things happen in the tree of a share, here or in another runtime; what it answers with ends that. */
export function watchShare(deps: WatchShareDeps, rootID: string, { readers, run }: ShareWatch): () => void {
  const { bus, follower, onError, timers = nodeTimers } = deps
  let isDue = false
  let isMoving = false
  let stopTimer: (() => void) | null = null
  const lookForQuiet = (left: number) => {
    isMoving = false
    stopTimer = timers.after(quietMs, () => (isMoving && left > 1 ? lookForQuiet(left - 1) : go()))
  }
  const go = () => {
    isDue = false
    stopTimer = timers.after(Math.min(pause.least + pause.eachReader * readers(), pause.most), () => {
      stopTimer = null
      if (isDue) lookForQuiet(looks)
    })
    run().catch(onError)
  }
  const due = (of: string | null) => {
    if (of !== rootID) return
    isDue = true
    isMoving = true
    if (stopTimer === null) lookForQuiet(looks)
  }
  const leave = follower.follow(rootID)
  leave.catch(onError)
  const offs = [bus.subscribe((event) => due(isOfReaders(event) ? null : event.rootID)), bus.onDoubt(due)]
  return () => {
    isDue = false
    stopTimer?.()
    for (const off of offs) off()
    void leave.then(
      (off) => off(),
      () => undefined,
    )
  }
}

/** Who looks on changes nothing of what there is to see. */
function isOfReaders({ type }: DocketEvent): boolean {
  return type === "presence.updated"
}
