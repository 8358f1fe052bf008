import { expect, test } from "vitest"
import { attachmentParts, attachmentProblem, maxAttachedBytes, readAttachment } from "./attachment.ts"

test("a file goes along as a part with its content", async () => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256)
  const image = await readAttachment(new File([bytes], "shot.png", { type: "image/png" }))
  expect(attachmentParts([image])).toEqual([
    {
      type: "file",
      mime: "image/png",
      url: `data:image/png;base64,${Buffer.from(bytes).toString("base64")}`,
      filename: "shot.png",
    },
  ])
})

test("one that names no type is text when it looks so", async () => {
  expect((await readAttachment(new File(["all:\n\tmake"], "Makefile"))).mime).toBe("text/plain")
  expect((await readAttachment(new File([Uint8Array.of(1, 0, 2)], "core"))).mime).toBe("application/octet-stream")
})

test("files that are too large together are refused, with what to do", () => {
  const half = new File([new Uint8Array(maxAttachedBytes / 2)], "half")
  expect(attachmentProblem([], [half, half])).toBeNull()
  expect(attachmentProblem([{ bytes: 1 }], [half, half])).toMatch(/mention them with @/)
})
