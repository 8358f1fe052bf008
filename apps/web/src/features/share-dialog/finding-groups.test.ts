import { expect, it } from "vitest"
import {
  decideFinding,
  decideRule,
  decisionOn,
  groupFindings,
  noDecisions,
  type PreviewFinding,
  shownSecrets,
  summary,
} from "./finding-groups.ts"

const found = (digest: string, fields: Partial<PreviewFinding> = {}): PreviewFinding => ({
  digest,
  rule: "aws-access-key",
  label: "AWS access key",
  severity: "secret",
  count: 1,
  places: [],
  ...fields,
})
const key = found("a", { count: 3 })
const value = found("b", { rule: "known-value", label: "value of DB_PASSWORD" })
const other = found("c", { rule: "known-value", label: "value of TOKEN" })
const home = found("d", { rule: "home-path", label: "home directory", severity: "private" })
const all = [key, value, other, home]

it("findings are grouped by rule, each group with its count", () => {
  expect(groupFindings(all).map(({ name, severity, count }) => [name, severity, count])).toEqual([
    ["AWS access key", "secret", 3],
    ["value of DB_PASSWORD and 1 more", "secret", 2],
    ["home directory", "private", 1],
  ])
})

it("everything is hidden until a finding or rule is decided", () => {
  expect(all.map((finding) => decisionOn(noDecisions, finding))).toEqual(all.map(() => "redact"))
  const group = groupFindings(all)[1]
  if (group === undefined) throw new Error("no group")
  const one = decideFinding(noDecisions, value, "omit")
  expect([decisionOn(one, value), decisionOn(one, other)]).toEqual(["omit", "redact"])
  const both = decideRule(one, group, "accept")
  expect([decisionOn(both, value), decisionOn(both, other), decisionOn(both, key)]).toEqual([
    "accept",
    "accept",
    "redact",
  ])
})

it("secrets to be shown are listed; hidden findings are counted", () => {
  const decisions = decideFinding(decideFinding(noDecisions, home, "accept"), key, "accept")
  expect(shownSecrets(all, decisions)).toEqual([key])
  expect(summary(all, decisions)).toBe("2 hidden · 2 shown")
  expect(summary(all, decideFinding(noDecisions, key, "omit"))).toBe("3 hidden · 1 left out with their parts")
})
