import type { ToolPart } from "@docket/core/schema"
import { expect, test } from "vitest"
import { leftOutLabel, ownFileAddress, returnedFiles, shownFile } from "./shown-file.ts"

const part = { id: "prt_1", sessionID: "ses_1" }
const hash = "a".repeat(64)
const picture = { mime: "image/png", url: `attachment:${hash}`, filename: "a.png", size: 9, width: 4, height: 3 }

test("a kept picture has an address and a size to reserve", () => {
  expect(shownFile(part, picture, ownFileAddress)).toMatchObject({
    kind: "picture",
    address: `/api/attachment/ses_1/${hash}`,
    width: 4,
    height: 3,
  })
})

test("an SVG is a file to save, never a picture", () => {
  expect(shownFile(part, { ...picture, mime: "image/svg+xml" }, ownFileAddress)).toMatchObject({ kind: "file" })
})

test("what is not kept has no address", () => {
  for (const url of ["data:image/png;base64,AAAA", "file:///a.png", `attachment:${hash}/../x`, "javascript:alert(1)"])
    expect(shownFile(part, { ...picture, url }, ownFileAddress)).toBeNull()
})

test("a file left out of a share is named", () => {
  const file = shownFile(part, { ...picture, url: "left-out:" }, ownFileAddress)
  expect(file).toMatchObject({ kind: "left-out", address: null })
  expect(leftOutLabel(file ?? expect.fail("no file"))).toBe("[picture left out] a.png")
})

test("a content that a call returned twice is shown once", () => {
  const state = { status: "completed", input: {}, output: "", attachments: [picture, picture], title: "", metadata: {} }
  const call = { ...part, type: "tool", tool: "read", state } as unknown as ToolPart
  expect(returnedFiles(call, ownFileAddress)).toHaveLength(1)
})
