import type { ViewerPlace, ViewerTab } from "@docket/core/schema"
import type { DocketClient } from "./create-docket-client.ts"

/** How a reader of a tree lets others know where they are in it. */
export interface Seat {
  /** What is on screen; null for nothing of the tree. */
  lookAt(place: ViewerPlace | null): void
  /** What a subscription begins with. */
  open(): ViewerTab
  /** The service has the subscription: it takes moves. */
  known(): void
  close(): void
}

/** A reader who goes on at once was nowhere (ms). */
const restMs = 200

/** A move while there is no connection is told by the next subscription. */
export function createSeat(client: Pick<DocketClient, "presence">): Seat {
  const id = crypto.getRandomValues(new Uint32Array(4)).join("-")
  let place: ViewerPlace | null = null
  /** What the subscription began with. */
  let begun: ViewerPlace | null = null
  /** What the service was told last; undefined while it does not listen. */
  let said: ViewerPlace | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const say = () => {
    timer = undefined
    if (said === undefined || said === place) return
    said = place
    client.presence.at.mutate({ id, place }).catch(() => undefined)
  }
  const saySoon = () => {
    timer ??= setTimeout(say, restMs)
  }
  return {
    lookAt(next) {
      place = next
      saySoon()
    },
    open() {
      begun = place
      said = undefined
      return { id, place }
    },
    known() {
      if (said !== undefined) return
      said = begun
      saySoon()
    },
    close: () => clearTimeout(timer),
  }
}
