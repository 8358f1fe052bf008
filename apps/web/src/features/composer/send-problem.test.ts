import { expect, it } from "vitest"
import { problemMessage, sendProblem, withConnection } from "./send-problem.ts"

it("a connection problem becomes information once the connection is back", () => {
  const failed = sendProblem(new TypeError("Failed to fetch"))
  expect(problemMessage(failed)).toContain("nothing was sent")
  // The page may notice the lost connection after the prompt failed.
  expect(withConnection(failed, true)).toBe(failed)
  const lost = withConnection(failed, false)
  expect(withConnection(lost, false)).toBe(lost)
  expect(withConnection(lost, true)).toEqual({ kind: "back" })
})

it("a server's refusal stays, whatever the connection does", () => {
  const refused = { kind: "refused", words: "No such agent." } as const
  expect(withConnection(withConnection(refused, false), true)).toBe(refused)
  expect(withConnection(null, true)).toBeNull()
})
