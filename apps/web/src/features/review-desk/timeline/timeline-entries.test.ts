import type { MessageWithParts, Part } from "@docket/core/schema"
import { expect, it } from "vitest"
import { timelineEntries } from "./timeline-entries.ts"

// Only the fields that the code reads.
const message = (role: "user" | "assistant", created: number, completed: number | null, parts: object[]) =>
  ({ info: { role, time: { created, completed } }, parts: parts as Part[] }) as MessageWithParts

const call = (id: string, state: object) => ({ id, type: "tool", tool: "grep", state })
const input = { pattern: "greeting" }

it("the timeline lists prompts, reasoning, calls and answers with their durations", () => {
  const entries = timelineEntries([
    message("user", 10, null, [
      { id: "prt_9", type: "text", text: "Context", synthetic: true },
      { id: "prt_1", type: "text", text: "Find\n it" },
    ]),
    message("assistant", 20, 90, [
      { id: "prt_0", type: "step-start" },
      { id: "prt_2", type: "reasoning", text: "Hm", time: { start: 20, end: 30 } },
      call("prt_3", {
        status: "completed",
        input,
        output: "",
        title: "greeting",
        metadata: {},
        time: { start: 30, end: 60 },
      }),
      { id: "prt_4", type: "text", text: "There.", time: { start: 60, end: 90 } },
    ]),
  ])
  expect(entries.map(({ kind, from, until }) => [kind, from, until])).toEqual([
    ["prompt", 10, 10],
    ["thought", 20, 30],
    ["call", 30, 60],
    ["answer", 60, 90],
  ])
  expect(entries[0]?.words).toBe("Find it")
  // The wait for the model is counted once.
  expect(entries.map(({ asked }) => asked)).toEqual([null, 20, null, null])
  expect(entries[2]).toMatchObject({ name: "grep", status: "done" })
})

it("running entries stay open, and a failed call is marked", () => {
  const entries = timelineEntries([
    message("assistant", 20, null, [
      call("prt_1", { status: "error", input, error: "No", metadata: {}, time: { start: 20, end: 25 } }),
      call("prt_2", { status: "running", input, metadata: {}, time: { start: 30 } }),
      { id: "prt_3", type: "text", text: "So far", time: { start: 40, end: null } },
    ]),
  ])
  expect(entries.map(({ status, until }) => [status, until])).toEqual([
    ["failed", 25],
    ["running", null],
    [null, null],
  ])
})
