import type { Finding } from "./scanner.ts"

/** The text with these findings replaced. They are in order and do not overlap. */
export function redactText(text: string, findings: readonly Pick<Finding, "start" | "end" | "replacement">[]): string {
  const pieces: string[] = []
  let at = 0
  for (const { start, end, replacement } of findings) {
    pieces.push(text.slice(at, start), replacement)
    at = end
  }
  return pieces.join("") + text.slice(at)
}
