import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import path from "node:path"
import { expect, it } from "vitest"
import { repository } from "./find-source.ts"
import { readTitles } from "./read-titles.ts"

const mostWords = 12

function findLongTitles(): string[] {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: repository, encoding: "utf8" })
  return listed
    .split("\n")
    .filter((file) => /\.(?:test|spec)\.(?:tsx?|mjs)$|\/(?:contract|test|fixtures)\/.+\.tsx?$/.test(file))
    .map((file) => ({ file, source: path.join(repository, file) }))
    .filter(({ source }) => existsSync(source)) // Git still lists a file that was just removed.
    .flatMap(({ file, source }) => readTitles(file, readFileSync(source, "utf8")).map((title) => `${file}: ${title}`))
    .filter(
      (line) =>
        line
          .replace(/^\S+: /, "")
          .trim()
          .split(/\s+/).length > mostWords,
    )
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

it(`finds no title of more than ${mostWords} words`, () => {
  expect(findLongTitles()).toEqual([])
})
