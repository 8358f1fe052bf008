import type { ViewerPlace, ViewerTab } from "@docket/core/schema"
import type { DocketClient } from "./create-docket-client.ts"

/** Tells the service which part of a tree this reader has on screen. */
export interface PresenceClient {
  /** `null`: no part of the tree is on screen. */
  lookAt(place: ViewerPlace | null): void
  /** Returns the place that a new subscription sends along. */
  open(): ViewerTab
  /** Called when the service has accepted the subscription, so that later moves can be sent. */
  known(): void
  close(): void
}

/** A place is sent only when the reader stays there for this long (ms). */
const restMs = 200

/** Nothing is sent while there is no connection: the next subscription carries the current place. */
export function createPresenceClient(client: Pick<DocketClient, "presence">): PresenceClient {
  const id = crypto.getRandomValues(new Uint32Array(4)).join("-")
  let place: ViewerPlace | null = null
  let atOpening: ViewerPlace | null = null
  /** `undefined` until the service has accepted the subscription. */
  let sentPlace: ViewerPlace | null | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const send = () => {
    timer = undefined
    if (sentPlace === undefined || sentPlace === place) return
    sentPlace = place
    client.presence.at.mutate({ id, place }).catch(() => undefined)
  }
  const sendSoon = () => {
    timer ??= setTimeout(send, restMs)
  }
  return {
    lookAt(next) {
      place = next
      sendSoon()
    },
    open() {
      atOpening = place
      sentPlace = undefined
      return { id, place }
    },
    known() {
      if (sentPlace !== undefined) return
      sentPlace = atOpening
      sendSoon()
    },
    close: () => clearTimeout(timer),
  }
}
