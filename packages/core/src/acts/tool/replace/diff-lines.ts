import { diffArrays } from "diff/lib/diff/array.js"

/** Longer changes are taken as one: the time that a comparison takes grows with the square of this number. */
const MAX_CHANGED_LINES = 200

/** Lines `from` to `to` (exclusive) of the old text, and what stands in their place. */
export interface LineChange {
  kind: "same" | "changed"
  from: number
  to: number
  /** Empty for `same`. */
  added: string[]
}

/** What turns the old lines into the new ones, in order. It is complete, but not the shortest for large changes. */
export function diffLines(old: readonly string[], wanted: readonly string[]): LineChange[] {
  const shorter = Math.min(old.length, wanted.length)
  let head = 0
  while (head < shorter && old[head] === wanted[head]) head++
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail) === wanted.at(-1 - tail)) tail++
  const end = old.length - tail
  const between = changesBetween(old.slice(head, end), wanted.slice(head, wanted.length - tail))
  const moved = between.map((change) => ({ ...change, from: change.from + head, to: change.to + head }))
  return [same(0, head), ...moved, same(end, old.length)].filter(({ from, to, added }) => to > from || added.length > 0)
}

const same = (from: number, to: number): LineChange => ({ kind: "same", from, to, added: [] })

function changesBetween(old: string[], wanted: string[]): LineChange[] {
  const whole: LineChange[] = [{ kind: "changed", from: 0, to: old.length, added: wanted }]
  const known = new Set(old)
  if (!wanted.some((line) => known.has(line))) return whole
  const parts = diffArrays(old, wanted, { maxEditLength: MAX_CHANGED_LINES })
  if (parts === undefined) return whole
  const changes: LineChange[] = []
  let at = 0
  for (const { added, removed, value } of parts) {
    const last = changes.at(-1)
    const open = last?.kind === "changed" ? last : null
    if (!added && !removed) changes.push(same(at, at + value.length))
    else if (open === null) changes.push({ kind: "changed", from: at, to: at, added: [] })
    const change = changes.at(-1)
    if (change?.kind === "changed") {
      if (removed) change.to += value.length
      else change.added.push(...value)
    }
    if (!added) at += value.length
  }
  return changes
}
