import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Follower } from "../../ground/event/follow-trees.ts"
import type { Relay } from "../../ground/event/relay.ts"
import type { DocketEvent } from "../../ground/schema/index.ts"

export interface WatchShareDeps {
  bus: Bus
  follower: Pick<Follower, "follow">
  relay: Pick<Relay, "read">
  timers?: Timers
  onError(error: unknown): void
}

/**
 * Changes are handled together once nothing has changed for this long (ms); usually the turn then waits for its model.
 */
const quietMs = 10
/** How many times in a row it waits for quiet; then it handles the changes although they continue. */
const looks = 5
/**
 * The pause between two batches (ms). Readers cannot show more changes per second. It grows with the readers, because
 * each batch costs 15 µs per reader in the process that runs the turn.
 */
const pause = { least: 100, eachReader: 0.25, most: 150 }

export interface ShareWatch {
  /** How many readers follow the share. */
  readers(): number
  run(): Promise<void>
}

/** Calls `run` after changes in the tree of a share, here or in another runtime. Returns a function that stops this. */
export function watchShare(deps: WatchShareDeps, rootID: string, { readers, run }: ShareWatch): () => void {
  const { bus, follower, relay, onError, timers = nodeTimers } = deps
  let isDue = false
  /** Whether something changed since the last look for quiet. */
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
  const noteChange = () => {
    isDue = true
    isMoving = true
    if (stopTimer === null) lookForQuiet(looks)
  }
  const leave = follower.follow(rootID)
  leave.catch(onError)
  const offs = [
    relay.read(rootID),
    bus.subscribe((event) => event.rootID === rootID && !isOfReaders(event) && noteChange()),
    bus.onDoubt((doubted) => (doubted ?? rootID) === rootID && noteChange()),
  ]
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

/** Events about viewers and editors change nothing that a share shows. */
function isOfReaders({ type }: DocketEvent): boolean {
  return type === "presence.updated" || type === "editor.asked" || type === "editor.withdrawn"
}
