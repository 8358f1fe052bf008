import type { SessionListItem } from "@docket/core/store"
import { expect, it } from "vitest"
import { parseLimit, sessionLine } from "./session-line.ts"

it.each(["abc", "", "0", "-5", "1.5", "1e2", "201"])("--limit %j is refused with the valid range", (given) => {
  expect(() => parseLimit(given)).toThrow("Give a number from 1 to 200.")
})

it("--limit takes whole numbers up to the service's maximum", () => {
  expect([parseLimit("1"), parseLimit("200")]).toEqual([1, 200])
})

it("docket sessions shows each session's state and its tree's usage", () => {
  // Only the fields that a line shows.
  const line = (ended: "failed" | "completed" | null, more: Partial<SessionListItem> = {}, isAway = false) => {
    const session = { id: "ses_1", parentID: null, directory: "/p", title: "Fix it", status: { type: "idle" } }
    const end = ended && { ended: { at: 5, how: ended } }
    const sums = { running: 0, needsYou: 0, treeTokens: 12_400, treeCost: 0.084, children: 0 }
    return sessionLine(
      { session: { ...session, ...end }, ...sums, ...more } as SessionListItem,
      new Set(isAway ? ["ses_1"] : []),
    )
  }
  expect(line("failed")).toBe("ses_1  failed     /p  12.4K tokens · $0.08  Fix it")
  expect(line("completed")).toContain("  unread     ")
  expect(line("failed", { running: 1 })).toContain("  running    ")
  expect(line("failed", { running: 1, needsYou: 1 })).toContain("  needs you  ")
  expect(line("completed", { running: 1 }, true)).toContain("  host away  ")
  expect(line(null, { treeTokens: 0, treeCost: 0 })).toBe("ses_1  idle       /p  nothing used  Fix it")
})
