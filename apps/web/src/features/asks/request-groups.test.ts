import type { PermissionRequest, Session } from "@docket/core/schema"
import { expect, it } from "vitest"
import { groupRequests, listedRequests, neighbourOf, placeOf } from "./request-groups.ts"

const session = (id: string, parentID: string | null, title: string) =>
  ({ id, parentID, title, agent: "general", time: { created: 0, updated: 0, archived: null } }) as Session
const request = (id: string, sessionID: string) =>
  ({ id, sessionID, permission: "read", patterns: [id], metadata: { kind: "files", files: [id] } }) as PermissionRequest

const sessions = [session("root", null, "Root"), session("one", "root", "One"), session("two", "one", "Two")]
const open = [request("a", "one"), request("b", "root"), request("c", "one"), request("d", "two")]

it("open requests are grouped by task, the longest waiting first", () => {
  const groups = groupRequests(open, sessions)
  expect(groups.map(({ path, requests }) => [path.join(" › "), requests.map((it) => it.request.id)])).toEqual([
    ["One", ["a", "c"]],
    ["", ["b"]],
    ["One › Two", ["d"]],
  ])
})

it("stepping follows the shown list, wraps around, and restarts after an answer", () => {
  const listed = listedRequests(groupRequests(open, sessions))
  expect(["a", "c", "b", "d"].map((id) => neighbourOf(listed, id, 1))).toEqual(["c", "b", "d", "a"])
  expect(neighbourOf(listed, "a", -1)).toBe("d")
  expect(neighbourOf(listed, "gone", 1)).toBe("a")
  expect(neighbourOf([], "gone", 1)).toBeNull()
})

it("a request is numbered among those that wait, unless it is alone", () => {
  const listed = listedRequests(groupRequests(open, sessions))
  expect(["a", "c", "b", "d"].map((id) => placeOf(listed, id))).toEqual(["1 of 4", "2 of 4", "3 of 4", "4 of 4"])
  expect(placeOf(listed.slice(0, 1), "a")).toBeNull()
})
