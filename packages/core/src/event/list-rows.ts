import type { DocketEvent, SessionListItem } from "../schema/index.ts"
import type { Bus } from "./bus.ts"

/** Tells readers of lists the row of a tree when something in the tree changed that the row shows. */
export interface ListRows {
  /** Somebody shows a list, from now until what it answers with is called. */
  follow(): () => void
  close(): void
}

export interface ListRowsDeps {
  store: { listed(rootIDs: readonly string[]): Promise<SessionListItem[]> }
  bus: Bus
  /** Between two readings of rows (ms): the first change is told at once, those that follow in one go. */
  pauseMs: number
  onError(error: unknown): void
}

/** What a row shows: its session, what runs and waits in the tree, and what the tree used. */
const shown = new Set<DocketEvent["type"]>([
  "session.created",
  "session.updated",
  "session.deleted",
  "permission.asked",
  "permission.replied",
])

/** Rows are read once for all readers, and only while there are some. */
export function createListRows({ store, bus, pauseMs, onError }: ListRowsDeps): ListRows {
  let followers = 0
  let changed = new Set<string>()
  let pause: NodeJS.Timeout | null = null
  let reading = false

  const tell = async () => {
    const rootIDs = [...changed]
    changed = new Set()
    reading = true
    const items = await store.listed(rootIDs).finally(() => {
      reading = false
      pause = setTimeout(next, pauseMs).unref()
    })
    for (const item of items) {
      const { id } = item.session
      bus.publish({ type: "session.listed", rootID: id, seq: null, properties: { item } })
    }
  }
  const start = () => {
    if (changed.size > 0 && !reading && pause === null) tell().catch(onError)
  }
  const next = () => {
    pause = null
    start()
  }
  const unsubscribe = bus.subscribe(({ type, rootID }) => {
    if (followers === 0 || rootID === null || !shown.has(type)) return
    changed.add(rootID)
    start()
  })
  return {
    follow() {
      followers += 1
      return () => {
        followers -= 1
      }
    },
    close() {
      unsubscribe()
      changed.clear()
      if (pause) clearTimeout(pause)
    },
  }
}
