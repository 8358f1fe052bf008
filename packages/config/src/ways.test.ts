import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const repository = fileURLToPath(new URL("../../../", import.meta.url))

/** The ways through the core that the document lists: their files by their headings. */
function readWays(document: string): Map<string, string[]> {
  const section = document.split("\n## Three ways through the core\n")[1]?.split("\n## ")[0] ?? ""
  const ways = section.split("\n### ").slice(1)
  return new Map(
    ways.map((way) => [
      way.slice(0, way.indexOf("\n")),
      [...way.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file),
    ]),
  )
}

const ways = readWays(await readFile(path.join(repository, "docs/architecture.md"), "utf8"))

it("the architecture document draws prompt, permission answer and async task end", () => {
  expect([...ways.keys()]).toEqual(["A prompt", "A permission answer", "The end of an async task"])
})

it.each([...ways])("%s passes at most 15 files of the core, and all exist", (_, files) => {
  expect(files.length).toBeGreaterThan(4)
  expect(files.length).toBeLessThanOrEqual(15)
  expect(files.filter((file) => !existsSync(path.join(repository, "packages/core/src", file)))).toEqual([])
})
