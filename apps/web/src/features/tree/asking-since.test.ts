import type { PermissionRequest, Session } from "@docket/core/schema"
import { expect, it } from "vitest"
import { askingSince } from "./asking-since.ts"

// Only the fields that are read.
const session = (id: string, parentID: string | null) => ({ id, parentID }) as Session
const request = (sessionID: string, created: number, status = "pending") =>
  ({ sessionID, status, time: { created, replied: null } }) as PermissionRequest

it("askingSince finds the oldest open request in or below a session", () => {
  const sessions = { r: session("r", null), a: session("a", "r"), b: session("b", "a"), c: session("c", "r") }
  const permissions = { 1: request("b", 20), 2: request("a", 30), 3: request("c", 5, "once") }
  expect(askingSince({ sessions, permissions }, ["a", "c"])).toEqual({ a: 20 })
})
