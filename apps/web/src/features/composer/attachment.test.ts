import { expect, test } from "vitest"
import { attachedText } from "../undo/attached-text.ts"
import {
  attachmentOf,
  attachmentParts,
  attachmentProblem,
  maxAttachedBytes,
  pastedFile,
  readAttachment,
  withOwnNames,
} from "./attachment.ts"

test("an attached file is sent as a part with its content", async () => {
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

test("a file without a type is text unless it has zero bytes", async () => {
  expect((await readAttachment(new File(["all:\n\tmake"], "Makefile"))).mime).toBe("text/plain")
  expect((await readAttachment(new File([Uint8Array.of(1, 0, 2)], "core"))).mime).toBe("application/octet-stream")
})

test("a TypeScript file is text, a video stays a video", async () => {
  const typed = { type: "video/mp2t" }
  expect((await readAttachment(new File(["const a = 1"], "a.ts", typed))).mime).toBe("text/plain")
  expect((await readAttachment(new File([Uint8Array.of(71, 0)], "a.ts", typed))).mime).toBe("video/mp2t")
})

test("files of one name get names of their own", () => {
  const file = (name: string) => ({ name, mime: "image/png", bytes: 1, url: "data:" })
  const added = withOwnNames([file("image.png")], ["image.png", "image.png", "a.b.png", "core", "core"].map(file))
  expect(added.map(({ name }) => name)).toEqual(["image-2.png", "image-3.png", "a.b.png", "core", "core-2"])
})

test("files that are too large together are refused, with what to do", () => {
  const half = new File([new Uint8Array(maxAttachedBytes / 2)], "half")
  expect(attachmentProblem([], [half, half])).toBeNull()
  expect(attachmentProblem([{ bytes: 1 }], [half, half])).toMatch(/mention them with @/)
})

test("a long pasted text becomes a named file, a short one stays", () => {
  expect(pastedFile("x\n".repeat(150), [])).toBeNull()
  expect(pastedFile("x".repeat(10_001), [])?.name).toBe("pasted.txt")
  expect(pastedFile("x\n".repeat(300), [{ name: "pasted.txt" }])?.name).toBe("pasted-2.txt")
})

test("an attached text returns to the field unchanged", async () => {
  const text = "grüße 日本\n".repeat(2_000)
  const file = pastedFile(text, [])
  const attachment = await readAttachment(file ?? new File([], ""))
  expect(attachedText(attachment)).toBe(text)
  const [part] = attachmentParts([attachment])
  const back = attachmentOf(part?.type === "file" ? part : { mime: "", url: "" })
  expect(attachedText(back)).toBe(text)
  expect(Math.abs(back.bytes - attachment.bytes)).toBeLessThan(3)
  expect(attachedText({ mime: "image/png", url: "data:image/png;base64,AAAA" })).toBeNull()
})
