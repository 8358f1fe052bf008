import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { noAddresses } from "../../test/no-addresses.ts"
import { mentionedLines } from "./mentioned-lines.ts"
import { resolvePromptParts } from "./resolve-prompt-parts.ts"

async function told(query: string): Promise<string> {
  const worktree = await realpath(await mkdtemp(join(tmpdir(), "docket-lines-")))
  onTestFinished(() => rm(worktree, { recursive: true }))
  await writeFile(join(worktree, "a.txt"), "one\ntwo\nthree\nfour\n")
  const url = `${pathToFileURL(join(worktree, "a.txt")).href}${query}`
  const part = { type: "file", mime: "text/plain", url, filename: "a.txt" } as const
  const [, text] = await resolvePromptParts([part], { ...noAddresses, worktree, mayRead: () => true })
  return text?.type === "text" ? text.text : ""
}

it("a mention with lines includes only these lines", async () => {
  const text = await told("?start=2&end=3")
  expect(text).toBe('The user attached a.txt, lines 2 to 3:\n<file path="a.txt">\ntwo\nthree\n</file>')
})

it("a mention of lines past the end says so", async () => {
  expect(await told("?start=9&end=12")).toContain("has no line 9")
})

it.each([
  ["", null],
  ["?start=0", null],
  ["?start=x&end=2", null],
  ["?start=3", { start: 3, maxLines: 2_000 }],
  ["?start=5&end=2", { start: 5, maxLines: 2_000 }],
  ["?start=3&end=999999999", { start: 3, maxLines: 2_000 }],
])("the lines of the address query %j are bounded", (query, lines) => {
  expect(mentionedLines(`file:///a.txt${query}`)).toEqual(lines)
})
