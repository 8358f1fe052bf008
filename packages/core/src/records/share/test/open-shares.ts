import { createBus } from "../../../ground/event/bus.ts"
import { noFollower } from "../../../ground/event/follow-trees.ts"
import { createJournal } from "../../../ground/event/journal.ts"
import { noRelay } from "../../../ground/event/relay.ts"
import { createIdSource } from "../../../ground/id/create-id.ts"
import { homeOwner } from "../../../ground/redact/index.ts"
import type { DocketEvent } from "../../../ground/schema/index.ts"
import { createInMemoryStore } from "../../../ground/store/index.ts"
import { newSession } from "../../../test/entities.ts"
import { createManualTime } from "../../../test/manual-time.ts"
import { createShares } from "../shares.ts"

/** Shares of a tree with one session, in memory, and all events published meanwhile. */
export async function openShares({ clock, timers } = createManualTime()) {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const bus = createBus((error) => {
    throw error
  })
  const journal = createJournal({ store, bus })
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const shares = createShares({
    store,
    bus,
    createID,
    clock,
    timers,
    follower: noFollower,
    relay: noRelay,
    owner: homeOwner("/home/alice"),
    frameOf: async () => ({ author: null, embedSites: [] }),
    mayShare: async () => true,
    readFile: async () => null,
    secretsOf: async () => ({ known: [], patterns: [] }),
    onError: (error) => {
      throw error
    },
  })
  const events: DocketEvent[] = []
  bus.subscribe((event) => events.push(event))
  return { bus, createID, journal, session, shares, events, store }
}
