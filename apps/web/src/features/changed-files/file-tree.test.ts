import { expect, it } from "vitest"
import type { ChangedFile } from "./changed-files.ts"
import { baseName, directoryOf, fileTree } from "./file-tree.ts"

const file = (path: string): ChangedFile => ({ path, kind: "changed", lines: null, lack: null, changes: [] })

it("the file tree lists directories first and joins chains of single directories", () => {
  const lines = fileTree(["src/ui/a.ts", "src/ui/b.ts", "docs/deep/only.md", "root.ts", "/tmp/out.txt"].map(file))
  expect(
    lines.map(({ kind, name, depth }) => `${"  ".repeat(depth)}${name}${kind === "directory" ? "/" : ""}`),
  ).toEqual(["/tmp/", "  out.txt", "docs/deep/", "  only.md", "src/ui/", "  a.ts", "  b.ts", "root.ts"])
})

it("a path is separated into the file's name and its directory", () => {
  expect([baseName("a/b/c.ts"), directoryOf("a/b/c.ts"), baseName("c.ts"), directoryOf("c.ts")]).toEqual([
    "c.ts",
    "a/b",
    "c.ts",
    "",
  ])
})
