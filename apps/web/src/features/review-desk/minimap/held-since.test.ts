import type { Session, TaskSummary } from "@docket/core/schema"
import { expect, it } from "vitest"
import { heldSince } from "./held-since.ts"

it("a held task's wait counts from its child's end", () => {
  // Only the fields that the code reads.
  const session = (id: string, at?: number) => ({ id, ...(at !== undefined && { ended: { at } }) }) as Session
  const task = (sessionID: string, state: TaskSummary["state"]) => ({ sessionID, state }) as TaskSummary
  const sessions = { a: session("a", 20), b: session("b", 30), c: session("c") }
  const tasks = { 1: task("a", "awaiting_review"), 2: task("b", "running"), 3: task("c", "awaiting_review") }
  expect(heldSince({ sessions, tasks })).toEqual({ a: 20 })
})
