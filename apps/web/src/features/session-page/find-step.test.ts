import { expect, it } from "vitest"
import { findCount, nextRow } from "./find-step.ts"

const row = (sessionID: string, partID: string) => ({ sessionID, partID, messageID: "msg" })
const rows = [row("root", "a"), row("root", "b"), row("child", "c"), row("other", "d")]
const from = (partID: string | null, sessionID: string, step: 1 | -1) =>
  nextRow(rows, { partID, sessionID, step })?.partID

it("starts in the open session, else first, or last going backwards", () => {
  expect([from(null, "child", 1), from(null, "root", 1), from(null, "root", -1), from(null, "away", 1)]).toEqual([
    "c",
    "a",
    "b",
    "a",
  ])
})

it("goes on through all sessions of the tree, and round", () => {
  expect([from("b", "root", 1), from("c", "child", -1), from("d", "other", 1), from("a", "root", -1)]).toEqual([
    "c",
    "b",
    "a",
    "d",
  ])
  expect(nextRow([], { partID: null, sessionID: "root", step: 1 })).toBeNull()
})

it("tells how many there are, and at which one is", () => {
  expect([findCount(rows, null, false), findCount(rows, "c", false), findCount(rows, "c", true)]).toEqual([
    "4 rows",
    "3 of 4",
    "3 of 4+",
  ])
  expect([findCount([], null, false), findCount(rows.slice(0, 1), null, false)]).toEqual(["Nothing found", "1 row"])
})
