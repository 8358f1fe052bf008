import { expect, it } from "vitest"
import { lazily } from "./lazily.ts"

it("a lazy value is made at its first use, and only once", () => {
  let made = 0
  const thing = lazily(() => ({ number: ++made }))
  expect(made).toBe(0)
  expect(thing()).toBe(thing())
  expect(made).toBe(1)
})
