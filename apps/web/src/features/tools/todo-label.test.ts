import { expect, test } from "vitest"
import { isFirstPlan, todoLabel } from "./todo-label.ts"

const change = <T extends Parameters<typeof todoLabel>[0][number]["from"]>(from: T, to: T) => ({
  content: "It",
  from,
  to,
})

test("the label tells what a call changed, each item once", () => {
  expect(
    todoLabel([
      change("in_progress", "completed"),
      change("pending", "completed"),
      change("pending", "in_progress"),
      { content: "New and begun", from: null, to: "in_progress" },
      change("pending", "pending"),
      { content: "Gone", from: "completed", to: null },
      change("completed", "pending"),
      change("pending", "cancelled"),
    ]),
  ).toBe("2 ticked, 1 started, 1 to do again, 1 cancelled, 1 added, 1 reworded, 1 removed")
  expect(todoLabel([])).toBe("")
})

test("the whole list is shown when first planned or changes are unknown", () => {
  expect(isFirstPlan([{ content: "New", from: null, to: "pending" }])).toBe(true)
  expect(isFirstPlan([{ content: "Done", from: "pending", to: "completed" }])).toBe(false)
  expect(isFirstPlan([])).toBe(false)
  expect(isFirstPlan(undefined)).toBe(true)
})
