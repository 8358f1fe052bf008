/** How many words the braces of a pattern stand for, at most: `{a,b}{1..9}` for 18. */
export function braceCount(pattern: string): number {
  let count = 1
  for (const [, from, to] of pattern.matchAll(/\{([^{},.]+)\.\.([^{},.]+)/g)) {
    const distance = Math.abs(Number(from) - Number(to))
    // Between characters there are fewer than this.
    count *= Number.isNaN(distance) ? 128 : distance + 1
  }
  const open: number[] = []
  for (const character of pattern) {
    if (character === "{") open.push(1)
    else if (character === "}") count *= open.pop() ?? 1
    else if (character === "," && open.length > 0) open.push((open.pop() ?? 0) + 1)
  }
  return count
}
