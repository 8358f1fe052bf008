import { FeedItemSchema } from "@docket/core/events"
import type { FeedItem } from "@docket/core/schema"
import { toWire } from "./wire-value.ts"

/** The words of each event: made once, for all its readers. */
const made = new WeakMap<FeedItem, unknown>()

/** An event in the words of `/v1`. */
export function wireEvent(item: FeedItem): unknown {
  const known = made.get(item)
  if (known !== undefined) return known
  const wire = toWire(FeedItemSchema, item)
  made.set(item, wire)
  return wire
}
