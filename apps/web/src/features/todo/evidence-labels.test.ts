import { expect, it } from "vitest"
import { spanLabel, unworkedMessage } from "./evidence-labels.ts"

const at = (minute: number) => new Date(2026, 2, 1, 14, minute).getTime()

it("a span says “Worked on” only when calls ran in it", () => {
  const span = { startedAt: at(2), endedAt: at(9) }
  expect(spanLabel({ ...span, worked: true })).toBe("Worked on 14:02 – 14:09")
  expect(spanLabel({ ...span, worked: null })).toBe("In progress 14:02 – 14:09")
  expect(spanLabel({ startedAt: at(2), endedAt: at(2), worked: false })).toBe(
    "In progress at 14:02; no call lies between",
  )
  expect(spanLabel({ startedAt: at(2), endedAt: null, worked: null })).toBe("In progress since 14:02")
})

it("a done item that was never in progress says so", () => {
  expect(unworkedMessage("completed")).toBe("Set to done without having been in progress.")
  expect(unworkedMessage("pending")).toBe("Nobody has worked on it yet.")
})
