import type { ListedNode } from "@docket/core/schema"
import { expect, it } from "vitest"
import { storageOf, workOf } from "./node-labels.ts"

const node: ListedNode = {
  ...{ id: "nod_1", role: "worker", version: "1.2.3", pid: 7, places: [], state: "live", isHere: false },
  ...{ host: { id: null, name: "rack" }, atWork: 0, waiting: 0, time: { started: 1, seen: 1 } },
}

it.each([
  [{}, ["works on nothing"]],
  [{ atWork: 1 }, ["works on 1 session"]],
  [{ atWork: 2, waiting: 1 }, ["works on 2 sessions", "1 waits"]],
  [{ waiting: 3 }, ["works on nothing", "3 wait"]],
  [{ state: "gone", waiting: 3 }, ["3 wait"]],
  [{ role: "web" }, []],
] as const)("a node with %j: %j", (fields, words) => {
  expect(workOf({ ...node, ...fields })).toEqual(words)
})

it("a node names the storage that it shares, and no other place", () => {
  expect(storageOf({ ...node, places: ["any", "storage:team", "host:hst_1"] })).toEqual(["storage team"])
})
