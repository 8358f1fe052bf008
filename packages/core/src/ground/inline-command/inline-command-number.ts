/** The number that `14` or `#14` stands for; null for anything else. */
export function inlineCommandNumber(text: string): number | null {
  const digits = /^#?(\d{1,15})$/.exec(text.trim())?.[1]
  return digits === undefined || Number(digits) === 0 ? null : Number(digits)
}
