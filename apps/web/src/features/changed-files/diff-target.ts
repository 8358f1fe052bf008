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

/** The file that many further; the place itself at an end, the first one when it is no longer there. */
export function moveInFiles(places: readonly FilePlace[], at: FilePlace | null, by: 1 | -1): FilePlace | null {
  const index = indexOf(places, at)
  return places[index < 0 ? 0 : Math.max(0, Math.min(places.length - 1, index + by))] ?? null
}

/** The place where it still is, else the file in another group, else the first. */
export function settlePlace(places: readonly FilePlace[], at: FilePlace | null): FilePlace | null {
  return places[indexOf(places, at)] ?? places.find(({ path }) => path === at?.path) ?? places[0] ?? null
}

function indexOf(places: readonly FilePlace[], at: FilePlace | null): number {
  return places.findIndex(({ group, path }) => group === at?.group && path === at.path)
}
