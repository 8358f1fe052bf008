import { expect, it } from "vitest"
import { planOf } from "./plan.ts"

it("cancelled todos are completed entries of a plan", () => {
  const todo = (status: "pending" | "in_progress" | "completed" | "cancelled") =>
    ({ content: status, status, priority: "high" }) as const
  expect(
    planOf(["pending", "in_progress", "completed", "cancelled"].map((status) => todo(status as "pending"))),
  ).toEqual({
    entries: [
      { content: "pending", priority: "high", status: "pending" },
      { content: "in_progress", priority: "high", status: "in_progress" },
      { content: "completed", priority: "high", status: "completed" },
      { content: "cancelled", priority: "high", status: "completed" },
    ],
  })
})

it("an empty list is an empty plan", () => {
  expect(planOf([])).toEqual({ entries: [] })
})

it("a plan shows characters that nobody sees", () => {
  expect(planOf([{ content: "a\u202eb", status: "pending", priority: "low" }]).entries[0]?.content).toBe("a\\u{202e}b")
})
