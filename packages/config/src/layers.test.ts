import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it, onTestFinished } from "vitest"
import layers from "../layers.json" with { type: "json" }
import { findLayerProblems } from "./find-layer-problems.ts"
import { readMap } from "./read-map.ts"

const repository = fileURLToPath(new URL("../../../", import.meta.url))

describe.each(Object.entries(layers))("%s", (tree, order) => {
  it("has every folder in one layer, and imports go down only", async () => {
    expect(await findLayerProblems(path.join(repository, tree), order)).toEqual([])
  })

  it("has a README or AGENTS.md that draws the same layers", async () => {
    const readme = path.join(repository, tree, "README.md")
    const map = await readFile(existsSync(readme) ? readme : path.join(repository, "AGENTS.md"), "utf8")
    expect(readMap(map, tree)).toEqual(order)
  })
})

async function createTree(files: Record<string, string>): Promise<string> {
  const root = await mkdtemp(path.join(tmpdir(), "docket-layers-"))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  for (const [file, source] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true })
    await writeFile(path.join(root, file), source)
  }
  return root
}

/** What is found in a tree of these files, with `low` below `left` and `right`, and `high` on top. */
async function problemsIn(files: Record<string, string>): Promise<string[]> {
  const root = await createTree({ "low/a.ts": "", "left/a.ts": "", "right/a.ts": "", "high/a.tsx": "", ...files })
  return await findLayerProblems(root, [["low"], ["left", "right"], ["high"]])
}

describe("the check", () => {
  it("lets a folder import from itself and from any layer below", async () => {
    const files = {
      "high/a.tsx": `import "../low/a.ts"\nimport "./b.ts"\nimport "zod"`,
      "high/b.ts": `import "../left/a.ts"`,
    }
    expect(await problemsIn(files)).toEqual([])
  })

  it.each([
    ["a value", `import { a } from "../high/a.tsx"`],
    ["a type", `import type { A } from "../high/a.tsx"`],
    ["a type by import()", `export const a: import("../high/a.tsx").A = 1`],
    ["an export from", `export { a } from "../high/a.tsx"`],
    ["an export of all", `export * from "../high/a.tsx"`],
    ["an import at run time", `export const a = () => import("../high/a.tsx")`],
  ])("finds an import of a layer above: %s", async (_, source) => {
    expect(await problemsIn({ "low/a.ts": source })).toEqual(["low/a.ts imports high/a.tsx, which is in a layer above"])
  })

  it("finds an import between folders of one layer", async () => {
    expect(await problemsIn({ "left/deep/b.ts": `import "../../right/a.ts"` })).toEqual([
      "left/deep/b.ts imports right/a.ts, which is in the same layer",
    ])
  })

  it("reports files in no layer, empty layer folders and duplicate entries", async () => {
    const root = await createTree({ "new/a.ts": "", "loose.ts": "", "low/a.ts": "", "index.ts": `import "./low/a.ts"` })
    expect((await findLayerProblems(root, [["low", "gone"], ["low"]])).sort()).toEqual([
      "gone is in a layer, but holds no sources",
      "loose.ts is in no layer",
      "low is listed twice",
      "new is in no layer",
    ])
  })

  it("lets tests import anything, but other code no test-only files", async () => {
    const files = {
      "low/a.test.ts": `import "../high/a.tsx"`,
      "low/test/stand.ts": `import "../../high/a.tsx"`,
      "high/a.tsx": `import "../low/test/stand.ts"`,
    }
    expect(await problemsIn(files)).toEqual(["high/a.tsx imports low/test/stand.ts, which is there for tests only"])
  })

  it("reports a folder that imports the entry for other packages", async () => {
    expect(await problemsIn({ "index.ts": "", "low/a.ts": `import "../index.ts"` })).toEqual([
      "low/a.ts imports index.ts, which is there for other packages",
    ])
  })
})
