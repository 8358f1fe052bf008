import { expect, it } from "vitest"
import { resultLines } from "./result-lines.ts"

it("draws a list of todos as items and keeps the count", () => {
  expect(
    resultLines(
      "3 open (1 in progress, 2 pending):\n▶ #14 [in_progress] review\n#15 [pending] write [it]\n#16 [pending] file (tenant-wide)",
    ),
  ).toEqual([
    { kind: "text", text: "3 open (1 in progress, 2 pending):" },
    { kind: "todo", number: 14, status: "in_progress", content: "review", everyone: false },
    { kind: "todo", number: 15, status: "pending", content: "write [it]", everyone: false },
    { kind: "todo", number: 16, status: "pending", content: "file", everyone: true },
  ])
})

it("says what was done and what failed without the marks for models", () => {
  expect(resultLines("OK: added #1 — milk\n  description: two\n  lines")).toEqual([
    { kind: "done", text: "Added #1 — milk" },
    { kind: "text", text: "  description: two\n  lines" },
  ])
  expect(resultLines("OK: in_progress — milk")).toEqual([{ kind: "done", text: "In progress — milk" }])
  expect(resultLines("OK: canceled — milk")).toEqual([{ kind: "done", text: "Cancelled — milk" }])
  expect(resultLines("ERR: todo not found")).toEqual([{ kind: "error", text: "Todo not found" }])
  expect(resultLines("SKIPPED: at most 100 commands")).toEqual([{ kind: "error", text: "At most 100 commands" }])
})

it("keeps lines of schedules and memory as they stand", () => {
  const body = "#1 [active] every day at 9: look (next 2026-11-22 09:00)\n#2 [paused] in 2 hours: go"
  expect(resultLines(body)).toEqual([{ kind: "text", text: body }])
})
