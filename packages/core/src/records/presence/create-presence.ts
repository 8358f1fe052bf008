import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Caller, Presence, Session, Viewer, ViewerPlace, ViewerTab } from "../../ground/schema/index.ts"
import type { PresenceService } from "./presence-service.ts"

interface PresenceDeps {
  bus: Bus
  /** @throws session_not_found */
  sessionByID(id: string): Promise<Pick<Session, "id" | "rootID">>
  timers?: Timers
}

export interface AllPresence {
  as(caller: Caller): PresenceService
  /** The caller's tab follows the tree, until what this answers with is called. */
  enter(rootID: string, tab: ViewerTab, caller: Caller): Promise<() => void>
  /** Somebody reads the tree by a link, until what this answers with is called. */
  read(rootID: string): () => void
}

/** Who comes, goes and moves together is told of together (ms). */
const gatherMs = 50
/** A tree is told of no more often than that (ms): moves are many, and each is told to everybody. */
const pauseMs = 500
/** A tab whose connection ends may be back at once, with another one (ms). */
const graceMs = 3_000
/** Tabs of one person that count: with more, the one that came first is forgotten. */
const maxTabs = 20

/** One tree that somebody reads. */
interface Room {
  clients: Map<string, PresenceClient>
  readers: number
  isDue: boolean
  stopTimer: (() => void) | null
}

/** Knows who reads which tree by the connections that follow it, and tells each tree of its readers. */
export function createPresence(deps: PresenceDeps): AllPresence {
  const { timers = nodeTimers } = deps
  const rooms = new Map<string, Room>()
  let moves = 0

  const tell = (rootID: string, room: Room) => {
    room.stopTimer = null
    if (room.isDue) {
      room.isDue = false
      room.stopTimer = timers.after(pauseMs, () => tell(rootID, room))
      const properties = { presence: presenceOf(room.clients.values(), room.readers) }
      deps.bus.publish({ type: "presence.updated", rootID, seq: null, properties })
    } else if (room.clients.size === 0 && room.readers === 0) rooms.delete(rootID)
  }
  const change = (rootID: string, room: Room) => {
    room.isDue = true
    room.stopTimer ??= timers.after(gatherMs, () => tell(rootID, room))
  }
  const roomOf = (rootID: string): Room => {
    const room = rooms.get(rootID) ?? { clients: new Map(), readers: 0, isDue: false, stopTimer: null }
    rooms.set(rootID, room)
    return room
  }
  /** The place if it is one of the tree; what was removed, and what is of another tree, is none. */
  const placeIn = async (rootID: string, place: ViewerPlace | null): Promise<ViewerPlace | null> => {
    if (place === null || place.sessionID === rootID) return place
    const session = await deps.sessionByID(place.sessionID).catch(() => null)
    return session?.rootID === rootID ? place : null
  }

  return {
    async enter(rootID, tab, { person, name }) {
      const place = await placeIn(rootID, tab.place)
      const room = roomOf(rootID)
      const key = keyOf(person, tab)
      const client: PresenceClient = { person, name, place, moved: ++moves }
      const own = [...room.clients].filter(([, other]) => other.person === person)
      if (!room.clients.has(key) && own.length >= maxTabs) room.clients.delete(own[0]?.[0] ?? "")
      // In the place of the one that it had: who came first stays first.
      room.clients.set(key, client)
      change(rootID, room)
      let stays = true
      return () => {
        if (!stays) return
        stays = false
        timers.after(graceMs, () => {
          if (room.clients.get(key) !== client) return
          room.clients.delete(key)
          change(rootID, room)
        })
      }
    },
    read(rootID) {
      const room = roomOf(rootID)
      room.readers += 1
      change(rootID, room)
      let stays = true
      return () => {
        if (!stays) return
        stays = false
        room.readers -= 1
        change(rootID, room)
      }
    },
    as: ({ person }) => ({
      async of(sessionID) {
        const room = rooms.get((await deps.sessionByID(sessionID)).rootID)
        return presenceOf(room?.clients.values() ?? [], room?.readers ?? 0)
      },
      async at(tab) {
        const key = keyOf(person, tab)
        const { place } = tab
        const session = place === null ? null : await deps.sessionByID(place.sessionID)
        const [rootID, room] = [...rooms].find(([, { clients }]) => clients.has(key)) ?? []
        const client = room?.clients.get(key)
        if (rootID === undefined || room === undefined || client === undefined) return false
        if (session !== null && session.rootID !== rootID) return false
        if (isSame(client.place, place)) return true
        client.place = place
        client.moved = ++moves
        change(rootID, room)
        return true
      },
    }),
  }
}

/** Nobody moves the tab of somebody else. */
function keyOf(person: string, { id }: ViewerTab): string {
  return `${id} ${person}`
}

function isSame(one: ViewerPlace | null, other: ViewerPlace | null): boolean {
  return one?.sessionID === other?.sessionID && one?.view === other?.view
}

/** A tab that follows a tree. `place` is null while it shows nothing of it, `moved` counts up with each move. */
interface PresenceClient {
  person: string
  name?: string | undefined
  place: ViewerPlace | null
  moved: number
}

/** Most people whom others are told by name. */
const maxNamed = 50
/** Most places of one person. */
const maxPlaces = 5

/** Who sits there: each person once, however many tabs they have, and where they went last. */
function presenceOf(clients: Iterable<PresenceClient>, readers: number): Presence {
  const shown = [...clients].flatMap(({ place, ...client }) => (place === null ? [] : [{ ...client, place }]))
  const viewers = [...Map.groupBy(shown, ({ person }) => person)].map(
    ([person, own]): Viewer => ({
      person,
      ...nameOf(own),
      places: withoutDoubles(own.toSorted((one, other) => other.moved - one.moved).map(({ place }) => place)),
    }),
  )
  return { viewers: viewers.slice(0, maxNamed), more: Math.max(0, viewers.length - maxNamed), readers }
}

function withoutDoubles(places: ViewerPlace[]): ViewerPlace[] {
  const byName = new Map(places.toReversed().map((place) => [`${place.view} ${place.sessionID}`, place]))
  return [...byName.values()].toReversed().slice(0, maxPlaces)
}

/** As they were called when they came last. */
function nameOf(clients: readonly Pick<PresenceClient, "name">[]): Pick<Viewer, "name"> {
  const name = clients.at(-1)?.name
  return name === undefined ? {} : { name }
}
