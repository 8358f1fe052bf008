import { type ScannedRow, withTexts } from "./scan-row.ts"
import type { Finding } from "./scanner.ts"

/** The decision about a finding: it stays, its label replaces it, or its row is left out. */
export type Decision = "accept" | "redact" | "omit"

/** Decisions of people by a finding's digest, then by its rule. A finding without a decision is redacted. */
export interface Decisions {
  digests: Readonly<Record<string, Decision>>
  rules: Readonly<Record<string, Decision>>
}

export const redactAll: Decisions = { digests: {}, rules: {} }

export function decisionOn(
  { digests, rules }: Decisions,
  { digest, rule }: Pick<Finding, "digest" | "rule">,
): Decision {
  return digests[digest] ?? rules[rule] ?? "redact"
}

/** The row as others may see it; null when it is left out. A growing text ends where a secret may begin. */
export function redactRow({ row, texts }: ScannedRow, decisions: Decisions): unknown {
  const changed = new Map<(typeof texts)[number]["at"], string>()
  for (const { at, content, findings, open } of texts) {
    const decided = findings.map((finding) => ({ finding, decision: decisionOn(decisions, finding) }))
    if (decided.some(({ decision }) => decision === "omit")) return null
    const hidden = decided.filter(({ decision }) => decision === "redact").map(({ finding }) => finding)
    if (hidden.length === 0 && open >= content.text.length) continue
    const inside = hidden.filter(({ start }) => start < open)
    changed.set(at, content.write(redactText(content.text.slice(0, open), inside)))
  }
  return withTexts(row, changed)
}

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
