import type { Scanner } from "./scanner.ts"

/** Lets the text of a part through as it grows, redacted, and only as far as no secret can still begin in it. */
export interface StreamGate {
  /** What may be shown beyond what was shown before, now that the text is this long. Text only grows. */
  grow(text: string): string
  /** What was let through in all. */
  shown(): string
}

/** Units of what went through before that say what the next ones are: the name before a value. */
const context = 300

/** `before`: what other parts end with that may begin a secret here. `show` decides what a finding is replaced by. */
export function createStreamGate(
  scanner: Scanner,
  show: (text: string, findings: ReturnType<Scanner["find"]>) => string,
  before = "",
): StreamGate {
  let passed = 0
  let shown = ""
  return {
    grow(text) {
      // What went through ends where nothing was open.
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
