import path from "node:path"
import type { Files } from "./machine.ts"

const MAX_SUGGESTIONS = 3
/** Entries of a directory that are compared. */
const MAX_ENTRIES = 5_000
/** Edits between two names, relative to their length, that still look like a slip. */
const MAX_DISTANCE_SHARE = 0.4

/** Up to three entries beside a missing path whose names are near to its own, nearest first. */
export async function suggestFiles(files: Files, missing: string): Promise<string[]> {
  const directory = path.dirname(missing)
  const wanted = path.basename(missing).toLowerCase()
  const entries = await files.entries(directory).catch(() => [])
  return entries
    .slice(0, MAX_ENTRIES)
    .map(({ name: entry }) => ({ entry, score: nameDistance(wanted, entry.toLowerCase()) }))
    .filter((candidate) => candidate.score <= MAX_DISTANCE_SHARE)
    .sort((a, b) => a.score - b.score || a.entry.localeCompare(b.entry))
    .slice(0, MAX_SUGGESTIONS)
    .map((candidate) => candidate.entry)
}

/** 0 for the same name to 1 for nothing in common. A name inside the other counts as near. */
function nameDistance(wanted: string, entry: string): number {
  const stem = path.parse(wanted).name
  if (entry === wanted) return 0
  if (stem.length >= 3 && (entry.includes(stem) || stem.includes(path.parse(entry).name))) return 0.2
  return editDistance(wanted, entry) / Math.max(wanted.length, entry.length)
}

/** Levenshtein distance; file names are at most 255 bytes, so the square is small. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, substitution))
    }
    row = next
  }
  return row[b.length] ?? 0
}
