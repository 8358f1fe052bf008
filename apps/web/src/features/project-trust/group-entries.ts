import type { ConfigEntry, ConfigEntryKind } from "@docket/core"
import { type EntryWeight, entryWeight } from "./describe-entry.ts"

/** The entries of one file, or all files of one kind; the most dangerous entries first. */
export interface EntryGroup {
  /** For a file, its path. */
  name: string
  isFile: boolean
  /** What its entries are, for a count of them. */
  noun: "setting" | "server" | "file"
  entries: ConfigEntry[]
}

/** What is an entry each, and no key of docket.json, by the heading of its group: files, and servers of a file. */
const kindsOfFiles: Partial<Record<ConfigEntryKind, string>> = {
  "instruction-file": "Instructions for agents",
  plugin: "Plugins",
  command: "Commands",
  skill: "Skills",
  tool: "Tools",
  "mcp-server": "MCP servers",
  hook: "Hooks",
}

const rank: Record<EntryWeight, number> = { careful: 0, usual: 1, stricter: 2 }
const rankOf = (entry: ConfigEntry) => rank[entryWeight(entry)]

/** Whether an entry is a whole file (a command, a skill, instructions), not a key of a configuration file. */
export function isWholeFile({ kind, path }: Pick<ConfigEntry, "kind" | "path">): boolean {
  return path.length === 2 && path[0] === kind && kind in kindsOfFiles
}

/**
 * Groups entries by file, and whole files by kind. Groups with a dangerous entry come first; otherwise the order of
 * reading stays.
 */
export function groupEntries(entries: readonly ConfigEntry[]): EntryGroup[] {
  const groups = new Map<string, EntryGroup>()
  for (const entry of entries) {
    const heading = isWholeFile(entry) ? kindsOfFiles[entry.kind] : undefined
    const name = heading ?? entry.file
    const group = groups.get(name) ?? { name, isFile: heading === undefined, noun: nounOf(entry), entries: [] }
    group.entries.push(entry)
    groups.set(name, group)
  }
  return [...groups.values()]
    .map((group) => ({ ...group, entries: group.entries.sort((a, b) => rankOf(a) - rankOf(b)) }))
    .sort((a, b) => firstRank(a) - firstRank(b))
}

function nounOf(entry: ConfigEntry): EntryGroup["noun"] {
  if (!isWholeFile(entry)) return "setting"
  return entry.kind === "mcp-server" ? "server" : "file"
}

function firstRank({ entries: [first] }: EntryGroup): number {
  return first ? rankOf(first) : rank.stricter
}

/** The path of a file relative to the project. */
export function pathInside(directory: string | null, file: string): string {
  return directory !== null && file.startsWith(`${directory}/`) ? file.slice(directory.length + 1) : file
}
