import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { repository } from "./find-source.ts"
import { readTitles } from "./read-titles.ts"

const mostWords = 12

/** How many titles of each package are still longer. A number may only go down. */
const longTitles: Record<string, number> = {
  "apps/cli": 0,
  "apps/server": 256,
  "apps/web": 0,
  bench: 0,
  e2e: 0,
  "packages/api": 18,
  "packages/client": 31,
  "packages/config": 8,
  "packages/core": 964,
  prisma: 35,
  scripts: 0,
}

const isLong = (title: string) => title.trim().split(/\s+/).length > mostWords

/** `packages/core` for what lies there, `e2e` for the folders at the root. */
const packageOf = (file: string) => /^(?:(?:apps|packages)\/)?[^/]+/.exec(file)?.[0] ?? file

function findLongTitles(): Map<string, string[]> {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: repository, encoding: "utf8" })
  const files = listed
    .split("\n")
    .filter((file) => /\.(?:test|spec)\.(?:tsx?|mjs)$|\/(?:contract|test|fixtures)\/.+\.tsx?$/.test(file))
  const found = new Map(Object.keys(longTitles).map((name): [string, string[]] => [name, []]))
  for (const file of files) {
    const name = packageOf(file)
    // Git still lists a file that was just removed.
    const source = path.join(repository, file)
    if (!existsSync(source)) continue
    const titles = readTitles(file, readFileSync(source, "utf8")).filter(isLong)
    const lines = titles.map((title) => `${file}: ${title}`)
    if (lines.length > 0) found.set(name, [...(found.get(name) ?? []), ...lines])
  }
  return found
}

it("reads the titles of tests and groups, plain, templated and by each", () => {
  const source = [
    'describe("a group", () => {',
    '  test("works", () => run.test("no title"))',
    "  it.skipIf(slow)(`works on $" + "{database} too`, () => {})",
    '  it.each([["a"]])("takes %s", () => test.step("no title"))',
    '  test.skip(slow, "no title")',
    "})",
  ].join("\n")
  expect(readTitles("some.test.ts", source)).toEqual(["a group", "works", "works on … too", "takes %s"])
})

it.each([...findLongTitles()])(`%s: titles have at most ${mostWords} words`, (name, found) => {
  const allowed = longTitles[name] ?? 0
  const rule = `Test titles have at most ${mostWords} words: ${allowed} longer ones are recorded for ${name}.`
  expect(found.length, [`${rule} Shorten yours:`, ...found].join("\n")).toBeLessThanOrEqual(allowed)
  expect(found.length, `${rule} There are fewer: lower the number in titles.test.ts.`).toBe(allowed)
})
