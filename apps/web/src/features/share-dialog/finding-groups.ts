import type { SharePreview } from "@docket/core"
import type { ShareDecisions } from "@docket/core/schema"

export type PreviewFinding = SharePreview["findings"][number]
export type Decision = ShareDecisions["rules"][string]

/** The findings of one rule. */
export interface FindingGroup {
  rule: string
  /** In words for users: "AWS access key", or for several labels "value of DB_PASSWORD and 3 more". */
  name: string
  severity: PreviewFinding["severity"]
  findings: PreviewFinding[]
  /** Total number of occurrences. */
  count: number
}

/** Findings grouped by rule, in the server's order: secrets first. */
export function groupFindings(findings: readonly PreviewFinding[]): FindingGroup[] {
  return [...Map.groupBy(findings, ({ rule }) => rule)].map(([rule, own]) => ({
    rule,
    name: nameOf([...new Set(own.map(({ label }) => label))]),
    severity: own.some(({ severity }) => severity === "secret") ? "secret" : "private",
    findings: own,
    count: own.reduce((sum, { count }) => sum + count, 0),
  }))
}

function nameOf([first = "", ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`
}

export const noDecisions: ShareDecisions = { digests: {}, rules: {} }

export function decisionOn(
  { digests, rules }: ShareDecisions,
  { digest, rule }: Pick<PreviewFinding, "digest" | "rule">,
): Decision {
  return digests[digest] ?? rules[rule] ?? "redact"
}

/** Applies a decision to all findings of the rule, and removes decisions on single findings. */
export function decideRule(
  { digests, rules }: ShareDecisions,
  { rule, findings }: FindingGroup,
  decision: Decision,
): ShareDecisions {
  const own = new Set(findings.map(({ digest }) => digest))
  const others = Object.entries(digests).filter(([digest]) => !own.has(digest))
  return { digests: Object.fromEntries(others), rules: { ...rules, [rule]: decision } }
}

export function decideFinding(
  { digests, rules }: ShareDecisions,
  { digest }: Pick<PreviewFinding, "digest">,
  decision: Decision,
): ShareDecisions {
  return { digests: { ...digests, [digest]: decision }, rules }
}

/** The secrets that would be shown: the user must confirm them. */
export function shownSecrets(findings: readonly PreviewFinding[], decisions: ShareDecisions): PreviewFinding[] {
  return findings.filter((finding) => finding.severity === "secret" && decisionOn(decisions, finding) === "accept")
}

/** E.g. "12 hidden · 1 shown · 2 left out with their parts". */
export function summary(findings: readonly PreviewFinding[], decisions: ShareDecisions): string {
  const words = { redact: "hidden", accept: "shown", omit: "left out with their parts" } as const
  return (["redact", "accept", "omit"] as const)
    .map(
      (decision) =>
        [findings.filter((finding) => decisionOn(decisions, finding) === decision).length, decision] as const,
    )
    .filter(([count]) => count > 0)
    .map(([count, decision]) => `${count} ${words[decision]}`)
    .join(" · ")
}
