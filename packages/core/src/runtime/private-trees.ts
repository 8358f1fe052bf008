import type { Bus } from "../event/bus.ts"
import type { DocketEvent } from "../schema/index.ts"
import { onlyReader, type SessionStore } from "../store/index.ts"

/** What a person does not see. */
export interface HiddenTrees {
  isEmpty: boolean
  has(rootID: string): boolean
}

/** Which trees only their authors see. */
export interface PrivateTrees {
  /** Those that a person does not see now. */
  hiddenFrom(person: string): Promise<HiddenTrees>
  close(): void
}

export interface PrivateTreesDeps {
  store: Pick<SessionStore, "private">
  bus: Bus
  /** Other runtimes change the same store, of which this one may not hear. */
  isShared: boolean
}

/** Read once and then kept up to date by events; with other runtimes on the store, read each time. */
export async function createPrivateTrees({ store, bus, isShared }: PrivateTreesDeps): Promise<PrivateTrees> {
  const heard = new Map<string, string | null>()
  const read = async () => new Map((await store.private()).map(({ rootID, person }) => [rootID, person]))
  const readers = new Map<string, string>()
  const note = (id: string, person: string | null) => {
    heard.set(id, person)
    if (person === null) readers.delete(id)
    else readers.set(id, person)
  }
  const close = bus.subscribe((event) => {
    const changed = isShared ? null : changedTree(event)
    if (changed !== null) note(changed.id, changed.person)
  })
  if (!isShared) for (const [id, person] of await read()) if (!heard.has(id)) readers.set(id, person)
  heard.clear()
  return {
    async hiddenFrom(person) {
      const known = isShared ? await read() : readers
      return { isEmpty: known.size === 0, has: (rootID) => (known.get(rootID) ?? person) !== person }
    },
    close,
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
