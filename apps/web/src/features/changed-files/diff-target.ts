import type { FileGroup, Grouping } from "./changed-files.ts"

/** The file that the diff view shows, and its group. */
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

/** All files of the groups, in list order. */
export function filePlaces(groups: readonly FileGroup[]): FilePlace[] {
  return groups.flatMap(({ key, files }) => files.map(({ path }) => ({ group: key, path })))
}

/** The file that the user wants to see. */
export interface FileAim {
  /** Null for the first file. */
  at: FilePlace | null
  /** Number of files to move on from `at`, if the user pressed keys before the list was loaded. */
  further: number
}

/** Moves by one file. Before the list is loaded, the move is remembered. */
export function moveInFiles(places: readonly FilePlace[], aim: FileAim, by: 1 | -1): FileAim {
  if (places.length === 0) return { ...aim, further: aim.further + by }
  return { at: settlePlace(places, { ...aim, further: aim.further + by }), further: 0 }
}

/**
 * Finds the file to show: the place itself, else the same file in another group, else the first. Then moves `further`
 * files on, at most to an end of the list.
 */
export function settlePlace(places: readonly FilePlace[], { at, further }: FileAim): FilePlace | null {
  const index = indexOf(places, at)
  const from = index < 0 ? places.findIndex(({ path }) => path === at?.path) : index
  return places[Math.max(0, Math.min(places.length - 1, Math.max(0, from) + further))] ?? null
}

function indexOf(places: readonly FilePlace[], at: FilePlace | null): number {
  return places.findIndex(({ group, path }) => group === at?.group && path === at.path)
}
