import type { Bus } from "../ground/event/bus.ts"
import type { DocketEvent } from "../ground/schema/index.ts"
import { onlyReader, type SessionStore } from "../ground/store/index.ts"

/** The trees that a person does not see. */
export interface HiddenTrees {
  isEmpty: boolean
  has(rootID: string): boolean
}

/** Knows which trees only their owners see. */
export interface PrivateTrees {
  /** The trees that are hidden from a person now. */
  hiddenFrom(person: string): Promise<HiddenTrees>
  /**
   * The same for a subscriber of the bus, called for each event and person: the store is read at most once per event.
   */
  hiddenFromSubscriber(person: string): HiddenTrees | Promise<HiddenTrees>
  close(): void
}

export interface PrivateTreesDeps {
  store: Pick<SessionStore, "private">
  bus: Bus
  /** Whether other runtimes change the same store: this one may not get all their events. */
  isShared: boolean
}

/**
 * Reads the private trees once and updates them by events. With other runtimes on the store, it reads them at each
 * call, and for subscribers once after an event.
 */
export async function createPrivateTrees({ store, bus, isShared }: PrivateTreesDeps): Promise<PrivateTrees> {
  /** Changes that arrive during the first read, and are newer than its result. */
  const heard = new Map<string, string | null>()
  const read = async () => new Map((await store.private()).map(({ rootID, person }) => [rootID, person]))
  /** By root session, the only person who sees its tree. */
  const readers = new Map<string, string>()
  const note = (id: string, person: string | null) => {
    heard.set(id, person)
    if (person === null) readers.delete(id)
    else readers.set(id, person)
  }
  /** The result of a read since the last event. It is valid for this event and all earlier ones. */
  let lastRead: Promise<ReadonlyMap<string, string | null>> | null = null
  const forget = () => {
    lastRead = null
  }
  const unsubscribes = [
    bus.subscribe((event) => {
      if (isShared) return forget()
      const changed = changedTree(event)
      if (changed !== null) note(changed.id, changed.person)
    }),
    bus.onDoubt(forget),
  ]
  if (!isShared) for (const [id, person] of await read()) if (!heard.has(id)) readers.set(id, person)
  heard.clear()
  const hiddenIn = (known: ReadonlyMap<string, string | null>, person: string): HiddenTrees => ({
    isEmpty: known.size === 0,
    has: (rootID) => (known.get(rootID) ?? person) !== person,
  })
  const readNow = () => {
    const reading = read()
    lastRead = reading
    // After a failure the next call reads again.
    reading.catch(() => {
      if (lastRead === reading) lastRead = null
    })
    return reading
  }
  return {
    hiddenFrom: async (person) => hiddenIn(isShared ? await readNow() : readers, person),
    hiddenFromSubscriber: (person) =>
      isShared ? (lastRead ?? readNow()).then((known) => hiddenIn(known, person)) : hiddenIn(readers, person),
    close() {
      for (const unsubscribe of unsubscribes) unsubscribe()
    },
  }
}

/** The root session that an event changes, and the only person who sees its tree (null for everyone). */
function changedTree(event: DocketEvent): { id: string; person: string | null } | null {
  switch (event.type) {
    case "session.created":
    case "session.updated": {
      const { info } = event.properties
      return info.parentID === null ? { id: info.id, person: onlyReader(info) } : null
    }
    case "session.deleted":
      return { id: event.properties.sessionID, person: null }
    default:
      return null
  }
}
