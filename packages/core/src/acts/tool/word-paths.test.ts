import { expect, it } from "vitest"
import { analyseScript } from "./command-analysis.ts"
import { braceCount, changedBy, matchesOf } from "./word-paths.ts"

it.each([
  ["plain", 1],
  ["{a,b}{1..9}", 18],
  ["{a,{b,c}}", 4],
  ["{-2..2}x", 5],
  ["{a,b", 1],
])("the count of words that braces produce is an upper bound: %s", (pattern, count) => {
  expect(braceCount(pattern)).toBe(count)
})

it.each(["{1..90000000}", "{a,b}".repeat(40), "{1..9000}{1..9000}"])(
  "a word with too many expansions may mean any file: %s",
  async (text) => {
    const word = analyseScript(`touch ${text}`)?.[0]?.words[1]
    if (word === undefined) throw new Error("not understood")
    const matches: (string | null)[] = []
    for await (const match of matchesOf(word, "/", "/root")) matches.push(match)
    expect(matches).toEqual([null])
    expect(await changedBy(word, "/nowhere", "/root")).toEqual(expect.any(Array))
  },
)
