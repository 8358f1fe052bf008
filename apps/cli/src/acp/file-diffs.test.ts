import { expect, it } from "vitest"
import { changeLocation, fileDiffs } from "./file-diffs.ts"

const change = (diff: string, more: { created?: boolean } = {}) => ({
  file: "src/a.ts",
  diff,
  created: false,
  diffOmitted: false,
  ...more,
})

const two = `--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@
 one
-two
+TWO
 three
@@ -10,2 +10,3 @@
 ten

--- is no head
+++ is no head
+twelve
\\ No newline at end of file
`

it("each hunk is a diff with the lines around it", () => {
  expect(fileDiffs(change(two), "/p")).toEqual([
    { type: "diff", path: "/p/src/a.ts", oldText: "one\ntwo\nthree\n", newText: "one\nTWO\nthree\n" },
    { type: "diff", path: "/p/src/a.ts", oldText: "ten\n-- is no head\n", newText: "ten\n++ is no head\ntwelve\n" },
  ])
})

it("a new file has no old text", () => {
  expect(fileDiffs(change("@@ -0,0 +1 @@\n+one\n", { created: true }), "/p")).toEqual([
    { type: "diff", path: "/p/src/a.ts", oldText: null, newText: "one\n" },
  ])
})

it("a change is at its first hunk, else at its file", () => {
  expect(changeLocation(change("@@ -7,1 +9,1 @@\n-a\n+b\n"), "/p")).toEqual({ path: "/p/src/a.ts", line: 9 })
  expect(changeLocation(change(""), "/p")).toEqual({ path: "/p/src/a.ts" })
  expect(changeLocation({ ...change(""), file: "/elsewhere/b" }, "/p")).toEqual({ path: "/elsewhere/b" })
})
