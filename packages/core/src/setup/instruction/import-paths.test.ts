import { expect, test } from "vitest"
import { importPaths } from "./import-paths.ts"

const paths = (text: string) => importPaths(text).map(({ path }) => path)

test("imports are found on lines, in lists and in sentences, once each", () => {
  const text = "See @README.md and @package.json.\n\n@docs/git.md\n- @~/.claude/own.md\n@docs/git.md\n@a\\ b.md"
  expect(paths(text)).toEqual(["README.md", "package.json", "docs/git.md", "~/.claude/own.md", "a b.md"])
})

test("an import knows its line, and whether it stands there alone", () => {
  expect(importPaths("Ask @ada.\n\n  * @rules.md")).toEqual([
    { path: "ada", line: 1, alone: false },
    { path: "rules.md", line: 3, alone: true },
  ])
})

test("what stands in code blocks and spans is left alone", () => {
  const text = [
    "Use `@decorator` and ``a ` @b.md``.",
    "```ts",
    "@c.md",
    "~~~",
    "```",
    "~~~~",
    "@d.md",
    "~~~",
    "@e.md",
    "~~~~",
    "@f.md",
    "me@g.md",
  ].join("\n")
  expect(paths(text)).toEqual(["f.md"])
})

test("a block that is never closed ends with the text", () => {
  expect(paths("@a.md\n```\n@b.md")).toEqual(["a.md"])
})
