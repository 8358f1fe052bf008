import { expect, test } from "vitest"
import { badgedIcon, titleWithCount } from "./tab-badge.ts"

test("the tab's title shows one count of all waiting requests", () => {
  expect(titleWithCount("Inbox · Docket", 0)).toBe("Inbox · Docket")
  expect(titleWithCount("Inbox · Docket", 3)).toBe("(3) Inbox · Docket")
  expect(titleWithCount("(1) Fix it · Docket", 3)).toBe("(3) Fix it · Docket")
  expect(titleWithCount("(1) Fix it · Docket", 0)).toBe("Fix it · Docket")
})

test("the tab's icon carries the count, up to nine", () => {
  expect(badgedIcon(0)).toBeNull()
  expect(decodeURIComponent(badgedIcon(2) ?? "")).toContain(">2</text>")
  expect(decodeURIComponent(badgedIcon(12) ?? "")).toContain(">9+</text>")
})
