import { nodeTimers, type Timers } from "../concurrency/timers.ts"
import type { Bus } from "../event/bus.ts"
import type { Follower } from "../event/follow-trees.ts"
import type { DocketEvent, Share } from "../schema/index.ts"

export interface WatchShareDeps {
  bus: Bus
  follower: Pick<Follower, "follow">
  timers?: Timers
  onError(error: unknown): void
}

/** What changes together is looked at together, when the turn that changed it has had the processor (ms). */
const gatherMs = 50
/** A reader sees no more changes a second than it can show. */
const pauseMs = 100

/** Calls `run` once things happen in the share's tree, here or in another runtime; what it answers with ends that. */
export function watchShare(deps: WatchShareDeps, { rootID }: Share, run: () => Promise<void>): () => void {
  const { bus, follower, onError, timers = nodeTimers } = deps
  let isDue = false
  let stopTimer: (() => void) | null = null
  const go = () => {
    stopTimer = null
    if (!isDue) return
    isDue = false
    stopTimer = timers.after(pauseMs, go)
    run().catch(onError)
  }
  const due = (of: string | null) => {
    if (of !== rootID) return
    isDue = true
    stopTimer ??= timers.after(gatherMs, go)
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
