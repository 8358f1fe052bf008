import path from "node:path"
import { expect, test } from "vitest"
import { contentSum } from "../../acts/tool/check-writing.ts"
import { createToolFixture } from "../../acts/tool/test/tool-fixture.ts"
import { root, toolPart, userMessage } from "../../contract/rows.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import type { FileWriting } from "../../ground/schema/tool-metadata.ts"
import { interruptedPart } from "./interrupted-part.ts"

const message = userMessage(root())

function running(metadata: Record<string, unknown>): ToolPart {
  const state = { status: "running" as const, input: { filePath: "a.txt" }, metadata, time: { start: 1 } }
  return { ...toolPart(message, state), tool: "edit" }
}

const sum = (text: string) => contentSum(Buffer.from(text))

function writing(file: string): FileWriting {
  const change = { file: "a.txt", diff: "", additions: 1, deletions: 1, created: false, diffOmitted: true }
  return {
    path: file,
    before: sum("old"),
    after: sum("new"),
    temporary: ".docket-0123456789ab.tmp",
    title: "a.txt",
    output: "Edited a.txt.",
    change: { ...change, truncated: false },
  }
}

const ended = async (part: ToolPart) => (await interruptedPart(part, 5, "the Docket process stopped")).state

test("an interrupted call stored by an earlier version has an unknown outcome", async () => {
  expect(await ended(running({}))).toMatchObject({
    status: "error",
    error: expect.stringContaining("its outcome is unknown"),
    metadata: { interrupted: true },
  })
})

test("a call interrupted before its write is not done", async () => {
  expect(await ended(running({ writing: null }))).toEqual({
    status: "error",
    input: { filePath: "a.txt" },
    error: expect.stringMatching(/^Not done: the Docket process stopped before the file was written\./),
    metadata: { interrupted: true },
    time: { start: 1, end: 5 },
  })
})

test("an interrupted call whose file was written completes with its full result", async () => {
  const { project, write } = createToolFixture()
  write("a.txt", "new")
  const leave = { status: "once", by: "usr_1", byName: "Ada" }
  const state = await ended(running({ leave, writing: writing(path.join(project, "a.txt")) }))
  expect(state).toMatchObject({
    status: "completed",
    title: "a.txt",
    output: expect.stringMatching(/^Edited a\.txt\./),
  })
  expect(state).toMatchObject({ metadata: { leave, file: "a.txt", version: expect.stringMatching(/^3-\d+$/) } })
  expect(JSON.stringify(state)).not.toContain("writing")
})

test.each([
  ["other", "somebody has changed it since"],
  [null, "somebody has removed it since"],
])("an interrupted call reports that its file was changed meanwhile: %j", async (now, words) => {
  const { project, write } = createToolFixture()
  if (now !== null) write("a.txt", now)
  const state = await ended(running({ writing: writing(path.join(project, "a.txt")) }))
  expect(state).toMatchObject({ status: "error", error: expect.stringContaining(words) })
  expect(JSON.stringify(state)).not.toMatch(/unknown|writing"/)
})
