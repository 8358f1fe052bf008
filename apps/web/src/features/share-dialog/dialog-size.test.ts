import { MantineProvider } from "@mantine/core"
import { createElement, type ReactElement } from "react"
import { renderToString } from "react-dom/server"
import { expect, it } from "vitest"
import { noDecisions, type PreviewFinding } from "./finding-groups.ts"
import { FindingsReview } from "./findings-review.tsx"
import { TreeChoice } from "./tree-choice.tsx"
import { treeLines } from "./tree-lines.ts"

const elementsOf = (element: ReactElement) =>
  renderToString(createElement(MantineProvider, null, element)).match(/<[a-z]/g)?.length ?? 0

const sessions = (count: number) =>
  Array.from({ length: count + 1 }, (_, nth) => ({
    id: `ses_${nth}`,
    parentID: nth === 0 ? null : "ses_0",
    title: `Session ${nth}`,
    agent: "explore",
    time: { created: 1, updated: 1, archived: null },
    parts: 3,
    size: 100,
  }))

const findings = (count: number): PreviewFinding[] =>
  Array.from({ length: count }, (_, nth) => ({
    digest: `digest-${nth}`,
    rule: `rule-${nth % 20}`,
    label: `kind ${nth % 20}`,
    severity: "secret",
    count: 1,
    places: [{ sessionID: "ses_0", messageID: "msg_0", partID: `prt_${nth}`, excerpt: "the key is [redacted: kind]" }],
  }))

it("a thousand findings render no more elements than a few", () => {
  const tree = (count: number) =>
    elementsOf(
      createElement(TreeChoice, {
        lines: treeLines(sessions(count), new Set()),
        onToggle: () => undefined,
        onToggleAll: () => undefined,
      }),
    )
  const review = (count: number) =>
    elementsOf(
      createElement(FindingsReview, {
        rootID: "ses_0",
        findings: findings(count),
        fresh: new Set<string>(),
        decisions: noDecisions,
        onDecide: () => undefined,
      }),
    )
  expect(tree(200)).toBeLessThanOrEqual(tree(12))
  expect(review(1_000)).toBe(review(20))
  expect(tree(200) + review(1_000)).toBeLessThan(300)
})
