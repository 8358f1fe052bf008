import { expect, test } from "vitest"
import { templateGap } from "./template-gap.ts"

test.each([
  ["db://", { kind: "text", whole: "db://t/" }],
  ["db://t/", { kind: "value", name: "table", typed: "", from: 7, before: {}, next: "/", isLast: false }],
  ["db://t/us%20er", { kind: "value", name: "table", typed: "us er" }],
  ["db://t/users/", { kind: "value", name: "row", typed: "", from: 13, before: { table: "users" }, isLast: true }],
  ["db://t/users/7", { kind: "value", name: "row", typed: "7" }],
  ["file://", null],
])("an address that is typed stands in a template: %s", (typed, gap) => {
  if (gap === null) expect(templateGap("db://t/{table}/{row}", typed)).toBeNull()
  else expect(templateGap("db://t/{table}/{row}", typed)).toMatchObject(gap)
})

test("values keep what their template keeps, and other kinds are left alone", () => {
  const raw = templateGap("file:///{+path}", "file:///a/b")
  expect(raw?.kind === "value" && raw.write("a b/c")).toBe("a%20b/c")
  const plain = templateGap("file:///{path}", "file:///a")
  expect(plain?.kind === "value" && plain.write("a b/c")).toBe("a%20b%2Fc")
  expect(templateGap("find:///{?query*}", "find:///x")).toBeNull()
})
