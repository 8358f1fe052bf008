import { expect, test } from "vitest"
import type { ToolPart } from "../schema/index.ts"
import { callAlarm, callStatus } from "./call-status.ts"

const time = { start: 1, end: 2 }
const part = (tool: string, state: ToolPart["state"]): ToolPart => {
  return { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", type: "tool", callID: "c", tool, state }
}
const bash = (result: object) => {
  const metadata = { command: "false", description: "", output: "", ...result }
  return part("bash", { status: "completed", input: {}, output: "", title: "", metadata, time })
}

test("a command that failed, timed out or was killed is marked failed", () => {
  expect([callStatus(bash({ exit: 0 })), callAlarm(bash({ exit: 0 }))]).toEqual(["done", null])
  expect([callStatus(bash({ exit: 1 })), callAlarm(bash({ exit: 1 }))]).toEqual(["failed", "exit 1"])
  expect(callAlarm(bash({ exit: null, signal: "SIGKILL" }))).toBe("SIGKILL")
  expect(callStatus(bash({ exit: null, timedOut: true }))).toBe("failed")
})

test("a rejected or stopped call, or a cancelled task, is marked stopped", () => {
  const ended = (tool: string, metadata: Record<string, unknown>) =>
    callStatus(part(tool, { status: "error", input: {}, error: "no", metadata, time }))
  expect(ended("bash", { rejected: true })).toBe("stopped")
  expect(ended("odd", { interrupted: true })).toBe("stopped")
  const model = { providerID: "p", modelID: "m" }
  const task = { sessionId: "ses_2", agent: "explore", model, description: "Look", summary: [], toolCount: 1 }
  const used = { startedAt: 1, elapsed: 1, tokens: 0, cost: 0 }
  expect(ended("task", { ...task, ...used, state: "cancelled" })).toBe("stopped")
  expect(ended("task", { ...task, ...used, state: "timed_out" })).toBe("failed")
})

test("without a known result, a call is marked by its state", () => {
  expect(callStatus(part("read", { status: "pending", input: {}, raw: "" }))).toBe("queued")
  expect(callStatus(part("read", { status: "running", input: {}, metadata: {}, time: { start: 1 } }))).toBe("running")
  expect(
    callStatus(part("odd", { status: "completed", input: {}, output: "", title: "", metadata: { exit: 1 }, time })),
  ).toBe("done")
  expect(callStatus(part("bash", { status: "error", input: {}, error: "no", metadata: {}, time }))).toBe("failed")
})
