import { expect, test } from "vitest"
import { wordsOf } from "./words-of.ts"

test("an address that cannot be reached is named with the reason", async () => {
  const failure = await fetch("http://127.0.0.1:1/").catch((error: unknown) => error)
  const words = wordsOf(new Error("Version negotiation probe failed: fetch failed", { cause: failure }))
  expect(words).toMatch(/^it cannot be reached \(.+\)$/)
  expect(wordsOf(new Error("no"))).toBe("no")
  expect(wordsOf("no")).toBe("no")
})
