import { statfsSync, statSync } from "node:fs"

export interface DiskRoom {
  /** Device number of the disk. */
  disk: number
  /** Bytes that programs without root rights may still use. */
  free: number
  size: number
}

/** Null when the place does not exist. */
export function diskRoom(place: string): DiskRoom | null {
  try {
    const { bavail, blocks, bsize } = statfsSync(place)
    return { disk: statSync(place).dev, free: bavail * bsize, size: blocks * bsize }
  } catch {
    return null
  }
}

/** The disks of some places, each disk once. */
export function diskRooms(places: readonly string[]): DiskRoom[] {
  const rooms = places.flatMap((place) => diskRoom(place) ?? [])
  return [...new Map(rooms.map((room) => [room.disk, room])).values()]
}

const GiB = 1024 ** 3

/** Bytes that commands must leave free: the configured number, or else a share of the disk. */
export function roomToLeave({ size }: Pick<DiskRoom, "size">, configured: number | null): number {
  return configured ?? Math.max(GiB, size * 0.03)
}
