import { statfsSync, statSync } from "node:fs"

export interface DiskRoom {
  /** Names the disk. */
  disk: number
  /** Bytes that programs without rights of root may still take. */
  free: number
  size: number
}

/** Null when the place is not there. */
export function diskRoom(place: string): DiskRoom | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(place)
    return { disk: statSync(place).dev, free: bavail * bsize, size: blocks * bsize }
  } catch {
    return null
  }
}

/** Of some places, each disk once. */
export function diskRooms(places: readonly string[]): DiskRoom[] {
  const rooms = places.flatMap((place) => diskRoom(place) ?? [])
  return [...new Map(rooms.map((room) => [room.disk, room])).values()]
}

const GiB = 1024 ** 3

/** Bytes that commands leave free, unless a number is set. */
export function roomToLeave({ size }: Pick<DiskRoom, "size">, set: number | null): number {
  return set ?? Math.max(GiB, size * 0.03)
}
