import { expect, it } from "vitest"
import { findCount, nextRow } from "./find-step.ts"

const row = (sessionID: string, partID: string) => ({ sessionID, partID, messageID: "msg" })
const rows = [row("root", "a"), row("root", "b"), row("child", "c"), row("other", "d")]
const from = (partID: string | null, sessionID: string, step: 1 | -1) =>
  nextRow(rows, { partID, sessionID, step })?.partID

it("the first step prefers the rows of the open session", () => {
  expect([from(null, "child", 1), from(null, "root", 1), from(null, "root", -1), from(null, "away", 1)]).toEqual([
    "c",
    "a",
    "b",
    "a",
  ])
})

it("further steps go through the whole tree and wrap around", () => {
  expect([from("b", "root", 1), from("c", "child", -1), from("d", "other", 1), from("a", "root", -1)]).toEqual([
    "c",
    "b",
    "a",
    "d",
  ])
  expect(nextRow([], { partID: null, sessionID: "root", step: 1 })).toBeNull()
})

it("the count shows the number of matches and the current one", () => {
  expect([findCount(rows, null, false), findCount(rows, "c", false), findCount(rows, "c", true)]).toEqual([
    "4 rows",
    "3 of 4",
    "3 of 4+",
  ])
  expect([findCount([], null, false), findCount(rows.slice(0, 1), null, false)]).toEqual(["Nothing found", "1 row"])
})
