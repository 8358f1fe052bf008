import type { Bus } from "../ground/event/bus.ts"
import type { DocketEvent } from "../ground/schema/index.ts"
import { onlyReader, type SessionStore } from "../ground/store/index.ts"

/** What a person does not see. */
export interface HiddenTrees {
  isEmpty: boolean
  has(rootID: string): boolean
}

/** Which trees only their authors see. */
export interface PrivateTrees {
  /** Those that a person does not see now. */
  hiddenFrom(person: string): Promise<HiddenTrees>
  /** The same for who hears what was just told on the bus: it is asked for each event and person, and read once for all of them. */
  hiddenFromHearer(person: string): HiddenTrees | Promise<HiddenTrees>
  close(): void
}

export interface PrivateTreesDeps {
  store: Pick<SessionStore, "private">
  bus: Bus
  /** Other runtimes change the same store, of which this one may not hear. */
  isShared: boolean
}

/**
 * Read once and then kept up to date by events; with other runtimes on the store, read each time, and for those who hear an
 * event once after it.
 */
export async function createPrivateTrees({ store, bus, isShared }: PrivateTreesDeps): Promise<PrivateTrees> {
  const heard = new Map<string, string | null>()
  const read = async () => new Map((await store.private()).map(({ rootID, person }) => [rootID, person]))
  const readers = new Map<string, string>()
  const note = (id: string, person: string | null) => {
    heard.set(id, person)
    if (person === null) readers.delete(id)
    else readers.set(id, person)
  }
  /** What was read since the last event: of that, and of all before, it is true. */
  let lately: Promise<ReadonlyMap<string, string | null>> | null = null
  const forget = () => {
    lately = null
  }
  const offs = [
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
    lately = reading
    // What failed is asked again by the next.
    reading.catch(() => {
      if (lately === reading) lately = null
    })
    return reading
  }
  return {
    hiddenFrom: async (person) => hiddenIn(isShared ? await readNow() : readers, person),
    hiddenFromHearer: (person) =>
      isShared ? (lately ?? readNow()).then((known) => hiddenIn(known, person)) : hiddenIn(readers, person),
    close() {
      for (const off of offs) off()
    },
  }
}

/** The root session that an event tells of, and who alone sees its tree. */
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
