import { expect, it } from "vitest"
import { lazily } from "./lazily.ts"

it("a thing is made when it is first asked for, and once", () => {
  let made = 0
  const thing = lazily(() => ({ number: ++made }))
  expect(made).toBe(0)
  expect(thing()).toBe(thing())
  expect(made).toBe(1)
})
