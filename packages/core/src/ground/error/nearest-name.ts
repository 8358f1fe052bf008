/** Edit distance of two strings (Levenshtein), by rows. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replace = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replace, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

/** At most `limit` of `names` that a person may have meant by `typed`, nearest first. */
export function nearestNames(typed: string, names: readonly string[], limit = 3): string[] {
  const lowerTyped = typed.toLowerCase()
  const score = (name: string) => {
    const candidate = name.toLowerCase()
    // A name that contains the other counts as one letter away. One or two letters are part of too many names.
    if (lowerTyped.length > 2 && (candidate.includes(lowerTyped) || lowerTyped.includes(candidate))) return 1
    return editDistance(lowerTyped, candidate)
  }
  return names
    .map((name) => ({ name, distance: score(name) }))
    .filter(({ distance }) => distance <= Math.max(2, Math.floor(typed.length / 3)))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, limit)
    .map(({ name }) => name)
}

/** The end of an error message: ` Did you mean "a" or "b"?`, or nothing. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = nearestNames(typed, names)
  return near.length === 0 ? "" : ` Did you mean ${near.map((name) => `"${name}"`).join(" or ")}?`
}
