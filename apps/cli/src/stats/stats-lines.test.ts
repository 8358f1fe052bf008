import { noTokens } from "@docket/core/usage"
import { expect, test } from "vitest"
import { groups, statsLines } from "./stats-lines.ts"

const figures = (turns: number, cost: number) => ({
  turns,
  failed: turns > 2 ? 1 : 0,
  duration: turns * 60_000,
  answers: turns,
  cost,
  tokens: { ...noTokens, input: turns * 1_000 },
})
const stats = {
  from: "2026-11-29",
  to: "2026-11-30",
  total: figures(3, 0.5),
  days: [
    { day: "2026-11-30", ...figures(3, 0.5) },
    { day: "2026-11-29", ...figures(0, 0) },
  ],
  models: [{ model: { providerID: "lab", modelID: "m" }, ...figures(3, 0.5) }],
  agents: [
    { agent: "build", ...figures(2, 0.4) },
    { agent: "ex\u001bplore", ...figures(1, 0.1) },
  ],
  projects: [{ projectID: "prj_1", ...figures(3, 0.5) }],
}

test("figures are tables by day, model, agent and project", () => {
  expect(statsLines(stats, groups, [{ id: "prj_1", directory: "/p" }])).toEqual([
    "2026-11-29 to 2026-11-30  turns  failed  time      tokens  cost",
    "all                       3      1       3 m 00 s  3K      $0.50",
    "",
    "day         turns  failed  time      tokens  cost",
    "2026-11-30  3      1       3 m 00 s  3K      $0.50",
    "",
    "model  turns  failed  time      tokens  cost",
    "lab/m  3      1       3 m 00 s  3K      $0.50",
    "",
    "agent          turns  failed  time      tokens  cost",
    "build          2      0       2 m 00 s  2K      $0.40",
    "ex\\u{1b}plore  1      0       1 m 00 s  1K      $0.10",
    "",
    "project  turns  failed  time      tokens  cost",
    "/p       3      1       3 m 00 s  3K      $0.50",
  ])
  expect(statsLines(stats, ["model"], []).slice(3)).toHaveLength(2)
})

test("days without any work are said to be empty", () => {
  expect(statsLines({ ...stats, total: figures(0, 0) }, groups, [])).toEqual([
    "nothing was done from 2026-11-29 to 2026-11-30",
  ])
})
