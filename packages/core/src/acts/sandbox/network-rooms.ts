import { type NetworkRoom, type NetworkRoomDeps, openNetworkRoom } from "./network-room.ts"
import type { SandboxPlace } from "./sandbox.ts"

/** The networks of places that may reach hosts, one for each project and list of hosts. */
export interface NetworkRooms {
  /** Opened when it is first needed, and again when it was lost; null for a place that reaches no host. */
  of(place: SandboxPlace): Promise<NetworkRoom | null>
  /** Hosts that were refused in a place since then (epoch ms). */
  refused(place: SandboxPlace, since: number): string[]
  /** Those that are being opened too. */
  close(): Promise<void>
}

export function createNetworkRooms(deps: NetworkRoomDeps): NetworkRooms {
  const open = new Map<string, NetworkRoom>()
  const opening = new Map<string, Promise<NetworkRoom>>()
  const keyOf = ({ project, hosts }: SandboxPlace) => JSON.stringify([project, ...hosts])
  const openFor = async (key: string, hosts: readonly string[]) => {
    try {
      const room = await openNetworkRoom(hosts, deps)
      open.set(key, room)
      return room
    } finally {
      opening.delete(key)
    }
  }
  return {
    async of(place) {
      if (place.hosts.length === 0) return null
      const key = keyOf(place)
      const known = open.get(key)
      if (known?.isOpen()) return known
      const room = opening.get(key) ?? openFor(key, place.hosts)
      if (!opening.has(key)) opening.set(key, room)
      return room
    },
    refused: (place, since) => open.get(keyOf(place))?.refused(since) ?? [],
    async close() {
      await Promise.allSettled(opening.values())
      for (const room of open.values()) room.close()
    },
  }
}
