import { expect, test } from "vitest"
import { askAgain } from "./ask-again.ts"

test("an answer cut by the output limit continues at the cut", () => {
  const again = askAgain({ name: "OutputLengthError" }, { finish: "length" })
  expect(again).toEqual({ label: "Continue", prompt: "Continue where your answer was cut." })
})

test("an answer that came to nothing is asked for again", () => {
  const tryAgain = { label: "Try again", prompt: "Try again." }
  expect(askAgain({ name: "OutputLengthError" }, { finish: null })).toEqual(tryAgain)
  expect(askAgain({ name: "APIError" }, { finish: null })).toEqual(tryAgain)
})
