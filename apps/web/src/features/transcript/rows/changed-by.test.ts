import { expect, test } from "vitest"
import { changedBy } from "./changed-by.ts"

test("each kind of change names its extensions once", () => {
  const request = (by: string) => ({ what: "request" as const, by })
  expect(changedBy([request("plugin a"), { what: "answer", by: "plugin b" }, request("plugin a")])).toEqual([
    "request changed by plugin a",
    "answer changed by plugin b",
  ])
  expect(changedBy(["a", "b", "c", "d", "e"].map(request))).toEqual(["request changed by a, b, c and 2 more"])
  expect(changedBy([])).toEqual([])
})
