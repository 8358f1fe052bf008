import { statSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { createToolFixture } from "./test/tool-fixture.ts"
import { versionOf } from "./text-file.ts"
import type { PlannedText, ToolContext } from "./tool.ts"
import { createWriteTool } from "./write.ts"

const withFileLock = createFileLocks()
const edit = createEditTool({ withFileLock })
const write = createWriteTool({ withFileLock })

/** A project in which all texts are written in upper case. */
function setUp() {
  const fixture = createToolFixture()
  const seen: PlannedText[] = []
  const context: ToolContext = {
    ...fixture.context,
    known: {
      versions: async (file) => [versionOf(statSync(path.join(fixture.project, file), { bigint: true }))],
      wrote: () => {},
    },
    async beforeWrite(texts) {
      seen.push(...texts)
      return texts.map((one) => ({ ...one, text: one.text.toUpperCase(), notes: ["It is upper case now."] }))
    },
  }
  return { fixture, context, seen }
}

test("what is put in place of a text is written and counted", async () => {
  const { context, fixture } = setUp()
  const made = await write.execute({ filePath: "a.txt", content: "one\ntwo\n" }, context)
  expect(fixture.read("a.txt")).toBe("ONE\nTWO\n")
  expect(made.output).toBe("Created a.txt (8 bytes, +2 −0 lines).\n\nIt is upper case now.")
  expect(made.metadata).toMatchObject({ diff: expect.stringContaining("+ONE\n+TWO") })
  expect(fixture.asks[0]?.metadata).toMatchObject({ diff: expect.stringContaining("+one\n+two") })
})

test("a byte order mark stays, and is not part of the text", async () => {
  const { context, fixture, seen } = setUp()
  fixture.write("a.txt", "\uFEFFone\r\n")
  await edit.execute({ filePath: "a.txt", oldString: "one", newString: "two" }, context)
  expect(fixture.read("a.txt")).toBe("\uFEFFTWO\r\n")
  await write.execute({ filePath: "b.txt", content: "\uFEFFthree\n" }, context)
  expect(fixture.read("b.txt")).toBe("\uFEFFTHREE\n")
  expect(seen.map(({ before, text }) => [before, text])).toEqual([
    ["one\r\n", "two\r\n"],
    [null, "three\n"],
  ])
})

test("an inexact edit shows no lines that are other by now", async () => {
  const { context, fixture } = setUp()
  fixture.write("a.txt", "if (x) {\n    go()\n}\n")
  const made = await edit.execute({ filePath: "a.txt", oldString: "if (x) {\n  go()\n}", newString: "stop()" }, context)
  expect(made.output).toMatch(/\(found by [\w-]+\)\.\n\nIt is upper case now\.$/)
})
