import type { Scanner } from "./scanner.ts"

/** Passes on the growing text of a part, redacted, and only up to where an incomplete secret may begin. */
export interface StreamGate {
  /** Returns the new text that may be shown, given the whole text so far, which only grows. */
  grow(text: string): string
  /** Everything that was passed on. */
  shown(): string
}

/** How much of the text already passed on is read again (UTF-16 units), because it may hold the name before a value. */
const context = 300

/** `before`: ends of other parts with which a secret may begin. `show` returns a text with its findings replaced. */
export function createStreamGate(
  scanner: Scanner,
  show: (text: string, findings: ReturnType<Scanner["find"]>) => string,
  before = "",
): StreamGate {
  let passed = 0
  let shown = ""
  return {
    grow(text) {
      // The text passed on ends where no secret was incomplete, so the ends of other parts count only at the start.
      const lead = passed === 0 && before !== "" ? `${before}\n` : ""
      const open = scanner.openAt(lead + text.slice(passed)) - lead.length + passed
      if (open <= passed) return ""
      const from = Math.max(0, passed - context)
      const findings = scanner
        .find(text.slice(from, open), from === 0 ? { before } : {})
        .map((finding) => ({ ...finding, start: finding.start + from - passed, end: finding.end + from - passed }))
        .filter(({ end }) => end > 0)
        .map((finding) => ({ ...finding, start: Math.max(finding.start, 0) }))
      const added = show(text.slice(passed, open), findings)
      passed = open
      shown += added
      return added
    },
    shown: () => shown,
  }
}
