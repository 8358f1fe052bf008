import { expect, it } from "vitest"
import { spanWords, unworkedWords } from "./evidence-words.ts"

const at = (minute: number) => new Date(2026, 2, 1, 14, minute).getTime()

it("claims work only where calls lie in the stretch", () => {
  const span = { startedAt: at(2), endedAt: at(9) }
  expect(spanWords({ ...span, worked: true })).toBe("Worked on 14:02 – 14:09")
  expect(spanWords({ ...span, worked: null })).toBe("In progress 14:02 – 14:09")
  expect(spanWords({ startedAt: at(2), endedAt: at(2), worked: false })).toBe(
    "In progress at 14:02; no call lies between",
  )
  expect(spanWords({ startedAt: at(2), endedAt: null, worked: null })).toBe("In progress since 14:02")
})

it("says of a done item that was never in progress just that", () => {
  expect(unworkedWords("completed")).toBe("Set to done without having been in progress.")
  expect(unworkedWords("pending")).toBe("Nobody has worked on it yet.")
})
