import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { maxResultBytes, storedResult } from "./task-output.ts"

test.each([
  ["Chinese", "字".repeat(6_000)],
  ["emoji", "🦊".repeat(5_000)],
  ["emoji off the grid", `x${"🦊".repeat(5_000)}yz`],
  ["one byte too long", "a".repeat(maxResultBytes + 1)],
])("a long answer keeps whole characters at both ends and says how much is left out: %s", async (_, text) => {
  const directory = await mkdtemp(join(tmpdir(), "docket-result-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const { result, path } = await storedResult(text, { directory, name: "r.md" })
  expect(await readFile(path ?? "", "utf8")).toBe(text)
  const [, head = "", left, tail = ""] = /^(.*)\n\n\[… (\d+) bytes left out; .*\]\n\n(.*)$/s.exec(result) ?? []
  expect(text.startsWith(head) && text.endsWith(tail)).toBe(true)
  expect(head.isWellFormed() && tail.isWellFormed()).toBe(true)
  expect(Buffer.byteLength(head) + Number(left) + Buffer.byteLength(tail)).toBe(Buffer.byteLength(text))
  expect(Buffer.byteLength(result)).toBeLessThan(maxResultBytes)
})

test("an answer of exactly the limit is kept as it is", async () => {
  const text = "a".repeat(maxResultBytes)
  expect(await storedResult(text, { directory: "/nowhere", name: "r.md" })).toEqual({ result: text, path: null })
})
