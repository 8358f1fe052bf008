import { expect, it } from "vitest"
import { retryOf, retryText } from "./retry-text.ts"

it("retryText names the next attempt and the time until it begins", () => {
  const status = { type: "retry", attempt: 2, message: "overloaded", next: 13_000 } as const
  expect(retryText(status, 1_000)).toBe("Retrying, attempt 3 in 12 s")
  expect(retryText({ ...status, next: 395_000 }, 1_000)).toBe("Retrying, attempt 3 in 6 m 34 s")
  expect(retryText(status, 12_999)).toBe("Retrying, attempt 3 in 1 s")
  expect(retryText(status, 13_000)).toBe("Retrying, attempt 3 now")
  expect(retryOf(status)).toBe(status)
  expect(retryOf({ type: "busy" })).toBeNull()
  expect(retryOf(undefined)).toBeNull()
})
