import type { FileGroup, Grouping } from "./changed-files.ts"

/** Which file the diff view shows, of which group. */
export interface FilePlace {
  /** The group's key. */
  group: string
  path: string
}

export interface DiffTarget {
  grouping: Grouping
  /** Null for the first file. */
  at: FilePlace | null
}

/** All files of the groups, in the order in which they are listed. */
export function filePlaces(groups: readonly FileGroup[]): FilePlace[] {
  return groups.flatMap(({ key, files }) => files.map(({ path }) => ({ group: key, path })))
}

/** Which file the reader wants to see. */
export interface FileAim {
  /** Null for the first file. */
  at: FilePlace | null
  /** So many files further: what was asked for before the list was there. */
  further: number
}

/** The reader goes that many files further. Without a list yet it is remembered. */
export function moveInFiles(places: readonly FilePlace[], aim: FileAim, by: 1 | -1): FileAim {
  if (places.length === 0) return { ...aim, further: aim.further + by }
  return { at: settlePlace(places, { ...aim, further: aim.further + by }), further: 0 }
}

/** The place where it still is, else the file in another group, else the first; from there so many further, to an end. */
export function settlePlace(places: readonly FilePlace[], { at, further }: FileAim): FilePlace | null {
  const index = indexOf(places, at)
  const from = index < 0 ? places.findIndex(({ path }) => path === at?.path) : index
  return places[Math.max(0, Math.min(places.length - 1, Math.max(0, from) + further))] ?? null
}

function indexOf(places: readonly FilePlace[], at: FilePlace | null): number {
  return places.findIndex(({ group, path }) => group === at?.group && path === at.path)
}
