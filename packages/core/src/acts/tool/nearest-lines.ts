/** Bounds of the search: more than this is not worth a hint. */
const MAX_LINES = 50_000
const MAX_LINE = 400
const SHOWN_LINES = 8
/** Below this likeness (0 to 1) two lines have little to do with each other. */
const MIN_LIKENESS = 0.5

/**
 * Numbered lines of `text` that are most like the start of `piece`, for a model that misremembers a file;
 * null when nothing is near.
 */
export function nearestLines(text: string, piece: string): string | null {
  const wanted = piece.split(/\r?\n/)
  const offset = wanted.findIndex((line) => line.trim() !== "")
  const key = wanted[offset]?.trim().slice(0, MAX_LINE)
  if (key === undefined) return null
  const lines = text.split(/\r?\n/, MAX_LINES)
  const best = mostAlike(lines, key)
  if (best === null) return null
  const start = Math.max(0, best - offset)
  const shown = lines.slice(start, start + Math.min(SHOWN_LINES, wanted.length + 2))
  return shown.map((line, index) => `${start + index + 1}: ${line.slice(0, MAX_LINE)}`).join("\n")
}

function mostAlike(lines: string[], key: string): number | null {
  const grams = bigrams(key)
  let best: { index: number; likeness: number } | null = null
  for (const [index, line] of lines.entries()) {
    const trimmed = line.trim().slice(0, MAX_LINE)
    if (trimmed === key) return index
    // Lines of very different length cannot reach the threshold.
    if (trimmed.length * 3 < key.length || key.length * 3 < trimmed.length) continue
    const likeness = dice(grams, bigrams(trimmed))
    if (likeness >= MIN_LIKENESS && likeness > (best?.likeness ?? 0)) best = { index, likeness }
  }
  return best?.index ?? null
}

function bigrams(text: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (let i = 0; i + 1 < text.length; i++) {
    const gram = text.slice(i, i + 2)
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

/** Sørensen–Dice coefficient of two bags of letter pairs. */
function dice(a: Map<string, number>, b: Map<string, number>): number {
  let shared = 0
  let total = 0
  for (const [gram, count] of a) {
    total += count
    shared += Math.min(count, b.get(gram) ?? 0)
  }
  for (const count of b.values()) total += count
  return total === 0 ? 0 : (2 * shared) / total
}
