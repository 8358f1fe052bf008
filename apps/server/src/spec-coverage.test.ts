import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = new URL("../../../", import.meta.url)

/** The rows of docs/spec-coverage.md: a behaviour, its test files, and usually a test title. */
async function promises() {
  const text = await readFile(new URL("docs/spec-coverage.md", root), "utf8")
  const lines = text.split("\n").filter((line) => line.startsWith("| ") && !/^\| (?:Behaviour |-)/.test(line))
  return lines.map((line) => {
    const [, behaviour = "", paths = "", titles] = /^\| (.+?) +\| `([^›]+)`(?: › (.+?))? +\|$/.exec(line) ?? []
    // A title may be preceded by that of its group.
    const title = titles?.split(" › ").at(-1) ?? null
    const files = paths.split("`, `").map((path) => path.replace(/^core\//, "packages/core/src/"))
    return { line, behaviour, files, title }
  })
}

/** Whether a file declares a test with the title. The title may be followed by a part that differs from run to run. */
function declares(source: string, title: string): boolean {
  const words = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const declared = `(?:\\b(?:test|it)\\b[^"\`]*|\\)\\(\\s*)["'\`]${words}(?:["'\`]|: \\$\\{)`
  return new RegExp(declared).test(source)
}

it("every behaviour names an existing test by file and title", async () => {
  const found = await promises()
  expect(found.length).toBeGreaterThan(150)
  const sources = new Map<string, string>()
  const sourceOf = async (file: string) => {
    const source = sources.get(file) ?? (await readFile(fileURLToPath(new URL(file, root)), "utf8").catch(() => ""))
    sources.set(file, source)
    return source
  }
  const missing: string[] = []
  for (const { line, files, title } of found) {
    const texts = await Promise.all(files.map(sourceOf))
    const haveFiles = texts.every((text) => text !== "")
    const isProven = haveFiles && (title === null || texts.some((text) => declares(text, title)))
    if (!isProven) missing.push(line.replace(/ +/g, " "))
  }
  expect(missing).toEqual([])
})

it("docs/spec-coverage.md lists each behaviour once", async () => {
  const seen = (await promises()).map(({ behaviour, files }) => `${behaviour} ${files}`)
  expect(seen.filter((name, index) => seen.indexOf(name) !== index)).toEqual([])
})
