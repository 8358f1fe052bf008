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
   * The same for a subscriber of the bus, called for each event and person: the store is read after an event that may
   * change what is hidden, and otherwise when the last read is older than `freshMs`.
   */
  hiddenFromSubscriber(person: string): HiddenTrees | Promise<HiddenTrees>
  close(): void
}

export interface PrivateTreesDeps {
  store: Pick<SessionStore, "private">
  bus: Bus
  /** Whether other runtimes change the same store: this one may not get all their events. */
  isShared: boolean
  /** Milliseconds of a clock that never jumps. */
  now(): number
}

/** A text may come from another runtime before the row that makes its tree private: how long it is not noticed (ms). */
const freshMs = 250

/**
 * Reads the private trees once and updates them by events. With other runtimes on the store, it reads them again, at
 * each call, and for subscribers as `hiddenFromSubscriber` says.
 */
export async function createPrivateTrees({ store, bus, isShared, now }: PrivateTreesDeps): Promise<PrivateTrees> {
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
  /** The result of a read that no event has made doubtful since. */
  let lastRead: { at: number; reading: Promise<ReadonlyMap<string, string>> } | null = null
  let known: ReadonlyMap<string, string> | null = null
  const forget = () => {
    lastRead = null
    known = null
  }
  const unsubscribes = [
    bus.subscribe((event) => {
      const changed = changedTree(event)
      if (isShared) {
        const isKnown = changed === null ? !ofOtherTrees.has(event.type) : knows(known, changed)
        if (!isKnown) forget()
      } else if (changed !== null) note(changed.id, changed.person)
    }),
    bus.onDoubt(forget),
  ]
  if (!isShared) for (const [id, person] of await read()) if (!heard.has(id)) readers.set(id, person)
  heard.clear()
  const hiddenIn = (known: ReadonlyMap<string, string>, person: string): HiddenTrees => ({
    isEmpty: known.size === 0,
    has: (rootID) => (known.get(rootID) ?? person) !== person,
  })
  const readNow = () => {
    const reading = read()
    lastRead = { at: now(), reading }
    known = null
    const isLast = () => lastRead?.reading === reading
    reading.then(
      (found) => {
        if (isLast()) known = found
      },
      // The next call reads again.
      () => {
        if (isLast()) forget()
      },
    )
    return reading
  }
  const readLately = () => {
    const isFresh = lastRead !== null && now() - lastRead.at < freshMs
    return lastRead !== null && isFresh ? lastRead.reading : readNow()
  }
  return {
    hiddenFrom: async (person) => hiddenIn(isShared ? await readNow() : readers, person),
    hiddenFromSubscriber: (person) =>
      isShared ? readLately().then((found) => hiddenIn(found, person)) : hiddenIn(readers, person),
    close() {
      for (const unsubscribe of unsubscribes) unsubscribe()
    },
  }
}

/** Events that may name a session of a tree whose own changes do not come here. */
const ofOtherTrees = new Set<DocketEvent["type"]>(["memory.updated", "schedule.updated", "schedule.run.updated"])

interface ChangedTree {
  id: string
  person: string | null
}

function knows(known: ReadonlyMap<string, string> | null, { id, person }: ChangedTree): boolean {
  return known !== null && (known.get(id) ?? null) === person
}

/** The root session that an event changes, and the only person who sees its tree (null for everyone). */
function changedTree(event: DocketEvent): ChangedTree | null {
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
