import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { readOutputPage } from "./read-output-page.ts"

function saved(content: string | null) {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), "docket-pages-")))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  mkdirSync(path.join(root, "ses_1"))
  const file = path.join(root, "ses_1", "tool_prt_1.txt")
  if (content !== null) writeFileSync(file, content)
  return { root, file }
}

async function readAll(file: string): Promise<string[]> {
  const pages: string[] = []
  for (let from: number | null = 0; from !== null; ) {
    const page: Awaited<ReturnType<typeof readOutputPage>> = await readOutputPage(file, from)
    if (page === null) throw new Error("no page")
    pages.push(page.text)
    from = page.next
  }
  return pages
}

test.each([
  ["lines", "an é line\n".repeat(60_000)],
  ["one line without end", "é€x".repeat(200_000)],
  ["colours without a line end", "\u001b[31mno\u001b[0m".repeat(60_000)],
])("the pages of a long output join to the whole output: %s", async (_name, content) => {
  const pages = await readAll(saved(content).file)
  expect(pages.length).toBeGreaterThan(1)
  expect(pages.join("") === content).toBe(true)
})

test("a page has at most 256 KiB, of terminal codes only colours", async () => {
  const { file } = saved(`\u001b]0;title\u0007\u001b[31mred\u001b[0m\u001b[2J\n${"x".repeat(99)}\n`.repeat(10_000))
  const page = await readOutputPage(file, 0)
  expect(page?.text.startsWith("\u001b[31mred\u001b[0m\nxxx")).toBe(true)
  expect(page?.next).toBeLessThanOrEqual(256 * 1024)
})

test("nothing is read past the end, or where there is no file", async () => {
  expect(await readOutputPage(saved("short").file, 900)).toEqual({ text: "", next: null, size: 5 })
  expect(await readOutputPage(saved(null).file, 0)).toBeNull()
})

test("a link replacing an output or its directory is not followed", async () => {
  const { root, file } = saved(null)
  writeFileSync(path.join(root, "secret"), "secret")
  symlinkSync("../secret", file)
  await expect(readOutputPage(file, 0)).rejects.toThrow()
  mkdirSync(path.join(root, "elsewhere"))
  writeFileSync(path.join(root, "elsewhere", "tool_prt_1.txt"), "secret")
  rmSync(path.join(root, "ses_1"), { recursive: true })
  symlinkSync("elsewhere", path.join(root, "ses_1"))
  await expect(readOutputPage(file, 0)).rejects.toThrow("changed into something else")
})
