import type { ToolPart } from "@docket/core/schema"
import { expect, it } from "vitest"
import { newOutput, terminalStep } from "./terminal-output.ts"

it.each([
  ["", "one\n", "one\n"],
  ["one\n", "one\ntwo\n", "two\n"],
  ["one\n", "one\n", ""],
  // Of a long output the end is kept.
  [`begin ${"x".repeat(300)} end`, `${"x".repeat(300)} end more`, " more"],
  ["gone\n", "all new\n", "all new\n"],
])("after %o, %o adds %o", (last, next, added) => {
  expect(newOutput(last, next)).toBe(added)
})

function bash(status: "running" | "completed", output: string): ToolPart {
  const metadata = { command: "ls", description: "", output, ...(status === "completed" && { exit: 0 }) }
  const state = { status, input: {}, title: "", output: "", metadata, time: { start: 1, end: 2 } }
  return { id: "prt_1", type: "tool", tool: "bash", state } as unknown as ToolPart
}

it("a terminal begins, shows what is new, and ends once", () => {
  const first = terminalStep(bash("running", "a\n"), null, "/p")
  expect(first?.meta).toEqual({
    terminal_info: { terminal_id: "prt_1", cwd: "/p" },
    terminal_output: { terminal_id: "prt_1", data: "a\n" },
  })
  expect(terminalStep(bash("running", "a\n"), first?.state ?? null, "/p")).toBeNull()
  const last = terminalStep(bash("completed", "a\nb\n"), first?.state ?? null, "/p")
  expect(last?.meta).toEqual({
    terminal_output: { terminal_id: "prt_1", data: "b\n" },
    terminal_exit: { terminal_id: "prt_1", exit_code: 0, signal: null },
  })
  expect(terminalStep(bash("completed", "a\nb\n"), last?.state ?? null, "/p")).toBeNull()
})
