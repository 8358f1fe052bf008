import type { ConfigEntry } from "@docket/core"
import { type EntryWeight, entryWeight } from "./describe-entry.ts"

/** What one file would set, the most dangerous first. */
export interface EntryGroup {
  file: string
  entries: ConfigEntry[]
}

const rank: Record<EntryWeight, number> = { careful: 0, usual: 1, stricter: 2 }
const rankOf = (entry: ConfigEntry) => rank[entryWeight(entry)]

/** Entries by file. Files with something dangerous come first, else all keep the order in which they are read. */
export function groupEntries(entries: readonly ConfigEntry[]): EntryGroup[] {
  const groups = new Map<string, ConfigEntry[]>()
  for (const entry of entries) groups.set(entry.file, [...(groups.get(entry.file) ?? []), entry])
  return [...groups]
    .map(([file, all]) => ({ file, entries: all.sort((a, b) => rankOf(a) - rankOf(b)) }))
    .sort((a, b) => firstRank(a) - firstRank(b))
}

function firstRank({ entries: [first] }: EntryGroup): number {
  return first ? rankOf(first) : rank.stricter
}

/** The path of a file as it is seen from the project. */
export function pathInside(directory: string | null, file: string): string {
  return directory !== null && file.startsWith(`${directory}/`) ? file.slice(directory.length + 1) : file
}
