import { events } from "../schema/event.ts"
import type { DocketEvent, EventType } from "../schema/index.ts"
import type { FeedChange } from "../store/index.ts"

type Row = Extract<NonNullable<(typeof events)[EventType]["traits"]>, { row: object }>["row"]

/** An event that reports changes of rows; it receives only changes of its own kind. */
interface RowEvent {
  type: string
  kind: Row["kind"]
  of(change: FeedChange): object | null
}

const rowEvents: RowEvent[] = Object.entries(events).flatMap(([type, { traits }]) =>
  traits !== undefined && "row" in traits ? [{ type, ...(traits.row as Omit<RowEvent, "type">) }] : [],
)
const byKind = Map.groupBy(rowEvents, ({ kind }) => kind)

/** The event of a committed change; null when the change is quiet or its row cannot be read. */
export function changeEvent(change: FeedChange): DocketEvent | null {
  if (change.kind === "unreadable") return null
  // A kind of change without an entry is a type error here.
  for (const { type, of } of byKind.get(change.kind) ?? []) {
    const properties = of(change)
    // Each entry of `events` makes content that fits its own schema.
    if (properties !== null) return { rootID: change.rootID, seq: change.seq, type, properties } as DocketEvent
  }
  return null
}
