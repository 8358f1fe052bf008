/** Whether nobody would write it as a word: letters and digits, not one after another, of many kinds. */
export function looksRandom(value: string, fewest: number): boolean {
  if (value.length < fewest || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false
  return entropy(value) >= (value.length < 16 ? 2.5 : 3)
}

/** Shannon entropy in bits a character. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}
