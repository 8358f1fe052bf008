import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { hugePng, pdfOf, pngOf } from "../../test/pictures.ts"
import { createReadTool } from "./read.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"

const tool = createReadTool()

async function read(name: string, content: string | Buffer, input: object = {}) {
  const fixture = createToolFixture()
  fixture.write(name, content)
  return runTool(tool, { filePath: name, ...input }, fixture.context)
}

test("a picture comes as a file, whatever its name", async () => {
  const bytes = pngOf(40, 30)
  for (const name of ["shot.png", "notes.txt", "without"]) {
    const { output, attachments, metadata } = await read(name, bytes)
    expect(output).toContain("Picture (image/png, 40 × 30 pixels, 1 KB)")
    expect(attachments).toMatchObject([{ mime: "image/png", filename: name, width: 40, height: 30 }])
    expect(attachments?.[0]?.url).toBe(`attachment:${createHash("sha256").update(bytes).digest("hex")}`)
    expect(metadata).toMatchObject({ kind: "media", file: name })
  }
})

test("a PDF comes as a file with its pages", async () => {
  const { output, attachments } = await read("paper.pdf", pdfOf(12))
  expect(output).toContain("PDF (application/pdf, 12 pages")
  expect(attachments).toMatchObject([{ mime: "application/pdf", pages: 12 }])
})

test("an SVG and a text named as pictures come as text", async () => {
  const svg = await read("icon.png", '<svg xmlns="http://www.w3.org/2000/svg"><title>Hi</title></svg>')
  expect(svg.output).toContain('1: <svg xmlns="http://www.w3.org/2000/svg">')
  expect(svg.attachments).toBeUndefined()
  expect((await read("fake.pdf", "only words")).output).toContain("1: only words")
})

test.each([
  ["a broken picture", "a.png", pngOf(64, 64).subarray(0, 100), "a.png is a broken picture"],
  ["30,000 pixels a side", "a.png", hugePng(30_000, 30_000), "a.png has 30000 × 30000 pixels"],
  ["10,000 pages", "a.pdf", pdfOf(10_000), "a.pdf is a PDF of 10000 pages"],
  ["a format that no model takes", "a.bmp", Buffer.from([66, 77, 0, 0]), "Convert it to PNG"],
  ["a notebook of 20 MB", "a.ipynb", Buffer.alloc(20 * 1024 * 1024, "a"), "a.ipynb has 20.0 MB"],
  ["a notebook that breaks off", "a.ipynb", '{"nbformat": 4, "cells": [', "a.ipynb is a broken notebook"],
  ["an old notebook", "a.ipynb", '{"nbformat": 3, "worksheets": []}', "a.ipynb is no notebook of format 4"],
])("%s is refused with the reason", async (_, name, content, reason) => {
  await expect(read(name, content)).rejects.toThrow(reason)
})

test.each([
  ["cells", '{"nbformat":4,"cells":[LIST]}', "=== cell 1 (broken)"],
  ["lines", '{"nbformat":4,"cells":[{"cell_type":"code","source":[LIST]}]}', "=== cell 1 (broken)"],
  ["outputs", '{"nbformat":4,"cells":[{"cell_type":"code","source":"","outputs":[LIST]}]}', "999801 more outputs"],
])("a notebook with a million wrong %s takes little memory", async (_, notebook, shown) => {
  const before = process.memoryUsage().rss
  const { output } = await read("work.ipynb", notebook.replace("LIST", `${"0,".repeat(1_000_000)}0`), { limit: 300 })
  expect(output).toContain(shown)
  expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000)
})

const png = pngOf(8, 8).toString("base64")
const notebook = JSON.stringify({
  nbformat: 4,
  cells: [
    { cell_type: "markdown", source: ["# Title\n", "Words"] },
    {
      cell_type: "code",
      execution_count: 3,
      source: "plot(x)",
      outputs: [
        { output_type: "stream", name: "stdout", text: ["one\n", "two\n"] },
        { output_type: "display_data", data: { "image/png": png, "text/plain": "<Figure>" } },
        { output_type: "error", ename: "ValueError", evalue: "bad", traceback: ["\u001b[31mline 1\u001b[0m"] },
        { output_type: "display_data", data: { "image/png": "bm90IGEgcGljdHVyZQ==" } },
        { output_type: "widget" },
      ],
    },
    { cell_type: "code", source: "y = 1", outputs: [] },
  ],
})

test("a notebook comes as cells with outputs and their pictures", async () => {
  const { output, attachments, metadata } = await read("work.ipynb", notebook)
  const text = output.replace(/^\d+: /gm, "")
  expect(text).toContain("=== cell 1 (markdown)\n# Title\nWords\n")
  expect(text).toContain(
    "=== cell 2 (code, run 3)\nplot(x)\n--- output\none\ntwo\n[picture: output-1.png]\nValueError: bad\nline 1\n",
  )
  expect(text).toContain("[broken picture]\n[output of an unknown kind]\n\n=== cell 3 (code, not run)\ny = 1\n")
  expect(attachments).toMatchObject([{ filename: "output-1.png", width: 8, height: 8 }])
  expect(metadata).toMatchObject({ kind: "notebook", startLine: 1, version: expect.any(String) })
})

test("a window of a notebook brings only the pictures in it", async () => {
  const { output, attachments } = await read("work.ipynb", notebook, { offset: 1, limit: 3 })
  expect(output).toContain("Go on with offset 4.")
  expect(attachments).toBeUndefined()
})
