import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import { createPeerState } from "../../ground/event/peer-state.ts"
import type { Peers } from "../../ground/event/peers.ts"
import type { Caller, Presence, Session, Viewer, ViewerPlace, ViewerTab } from "../../ground/schema/index.ts"

interface PresenceDeps {
  bus: Bus
  /** Other runtimes, with readers of their own; absent where there are none. */
  peers?: Peers | undefined
  /** Epoch ms. */
  clock(): number
  /** @throws session_not_found */
  sessionByID(id: string): Promise<Pick<Session, "id" | "rootID">>
  timers?: Timers
}

/** The readers of a tree. Nothing is stored. */
export interface PresenceService {
  /** @throws session_not_found */
  of(sessionID: string): Promise<Presence>
  /**
   * Sets what the caller's tab shows; null for nothing of the tree. Answers false when no such tab follows the
   * session's tree here: the tab sends its place when it subscribes. @throws session_not_found
   */
  at(tab: ViewerTab): Promise<boolean>
}

export interface AllPresence {
  as(caller: Caller): PresenceService
  /** The caller's tab follows the tree until the returned function is called. */
  enter(rootID: string, tab: ViewerTab, caller: Caller): Promise<() => void>
  /** Counts a reader by share link until the returned function is called. */
  read(rootID: string): () => void
  close(): void
}

/** Changes within this time are published together (ms). */
const gatherMs = 50
/** The shortest time between two events of a tree (ms), because every reader gets each one. */
const pauseMs = 500
/** How long a tab without a connection still counts (ms): it may be reconnecting. */
const graceMs = 3_000
/** The most tabs of one person; with more, the oldest is dropped. */
const maxTabs = 20

/**
 * A tab that follows a tree. `place` is null while it shows none of it. `moved` grows with each move of a tab, and is
 * about the time of the move (epoch ms), so that it can be compared with those at other runtimes.
 */
interface PresenceClient {
  key: string
  person: string
  name?: string | undefined
  place: ViewerPlace | null
  moved: number
}

/** What a runtime says of the readers of a tree that it serves. */
interface RoomNews {
  clients: PresenceClient[]
  readers: number
}

/** A tree with its readers. */
interface Room {
  clients: Map<string, PresenceClient>
  /** How many read by share link. */
  readers: number
  /** Whether a change is not published yet. */
  isDue: boolean
  /** Cancels the wait for more changes, or the pause after an event; null when neither runs. */
  stopTimer: (() => void) | null
}

/** Tracks the readers of each tree by their connections, here and elsewhere, and publishes them to that tree. */
export function createPresence(deps: PresenceDeps): AllPresence {
  const { peers, timers = nodeTimers } = deps
  const rooms = new Map<string, Room>()
  let lastMove = 0
  const nextMove = () => (lastMove = Math.max(lastMove + 1, deps.clock()))
  const elsewhere = createPeerState<RoomNews>({ peers, timers }, "presence", (rootID) => {
    const room = rooms.get(rootID)
    if (room !== undefined) tellLater(rootID, room)
  })
  /** Sets what a tab shows that is served here; false for any other. */
  const move = ({
    key,
    place,
    rootOfPlace,
  }: {
    key: string
    place: ViewerPlace | null
    rootOfPlace: string | null
  }) => {
    const [rootID, room] = [...rooms].find(([, { clients }]) => clients.has(key)) ?? []
    const client = room?.clients.get(key)
    if (rootID === undefined || room === undefined || client === undefined) return false
    if (rootOfPlace !== null && rootOfPlace !== rootID) return false
    if (isSame(client.place, place)) return true
    client.place = place
    client.moved = nextMove()
    change(rootID, room)
    return true
  }
  const rootOf = async (place: ViewerPlace | null) =>
    place === null ? null : (await deps.sessionByID(place.sessionID)).rootID
  const unlisten = peers?.listen((news) => {
    if (news?.kind !== "tab") return
    const { place } = news.tab
    const key = keyOf(news.person, news.tab)
    // A place that is gone meanwhile is nowhere.
    void rootOf(place).then(
      (rootOfPlace) => move({ key, place, rootOfPlace }),
      () => {},
    )
  })
  const presenceIn = (rootID: string): Presence => {
    const { clients, readers } = rooms.get(rootID) ?? { clients: new Map<string, PresenceClient>(), readers: 0 }
    const others = elsewhere.others(rootID)
    const all = [...clients.values(), ...others.flatMap((room) => room.clients)]
    return presenceOf(all, readers + others.reduce((sum, room) => sum + room.readers, 0))
  }

  /** Publishes an unpublished change and pauses; without one, forgets a tree that nobody reads. */
  const tell = (rootID: string, room: Room) => {
    room.stopTimer = null
    if (room.isDue) {
      room.isDue = false
      room.stopTimer = timers.after(pauseMs, () => tell(rootID, room))
      const properties = { presence: presenceIn(rootID) }
      deps.bus.publish({ type: "presence.updated", rootID, seq: null, properties })
    } else if (room.clients.size === 0 && room.readers === 0) rooms.delete(rootID)
  }
  const tellLater = (rootID: string, room: Room) => {
    room.isDue = true
    room.stopTimer ??= timers.after(gatherMs, () => tell(rootID, room))
  }
  const change = (rootID: string, room: Room) => {
    tellLater(rootID, room)
    const { clients, readers } = room
    const isEmpty = clients.size === 0 && readers === 0
    elsewhere.put(rootID, isEmpty ? null : { clients: [...clients.values()], readers })
  }
  const roomOf = (rootID: string): Room => {
    const room = rooms.get(rootID) ?? { clients: new Map(), readers: 0, isDue: false, stopTimer: null }
    rooms.set(rootID, room)
    return room
  }
  /** The place, or null when it is not in the tree. */
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
      const client: PresenceClient = { key, person, name, place, moved: nextMove() }
      const own = [...room.clients].filter(([, other]) => other.person === person)
      if (!room.clients.has(key) && own.length >= maxTabs) room.clients.delete(own[0]?.[0] ?? "")
      // Replaces the tab's entry in place, to keep the order of arrival.
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
        return presenceIn((await deps.sessionByID(sessionID)).rootID)
      },
      async at(tab) {
        const key = keyOf(person, tab)
        const { place } = tab
        const rootOfPlace = await rootOf(place)
        if (move({ key, place, rootOfPlace })) return true
        const isElsewhere =
          rootOfPlace === null ||
          elsewhere.others(rootOfPlace).some(({ clients }) => clients.some((it) => it.key === key))
        if (isElsewhere) peers?.tell({ kind: "tab", person, tab })
        return isElsewhere && peers !== undefined
      },
    }),
    close() {
      unlisten?.()
      elsewhere.close()
    },
  }
}

/** Includes the person, so that nobody can move another person's tab. */
function keyOf(person: string, { id }: ViewerTab): string {
  return `${id} ${person}`
}

function isSame(one: ViewerPlace | null, other: ViewerPlace | null): boolean {
  return one?.sessionID === other?.sessionID && one?.view === other?.view
}

/** The most people listed by name. */
const maxNamed = 50
/** The most places listed for one person. */
const maxPlaces = 5

/** Each reader once, however many tabs they have, with their latest places. */
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

/** The name they had when they last arrived. */
function nameOf(clients: readonly Pick<PresenceClient, "name">[]): Pick<Viewer, "name"> {
  const name = clients.at(-1)?.name
  return name === undefined ? {} : { name }
}
