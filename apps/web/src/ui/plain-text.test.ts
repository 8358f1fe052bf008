import { expect, it } from "vitest"
import { plainText } from "./plain-text.ts"

it("plainText keeps the words of Markdown and drops its marks", () => {
  expect(
    plainText("## Links\n\nI found **two**:\n- `README.md:12` points to [the wiki](https://example.com)\n1. *gone*"),
  ).toBe("Links I found two: README.md:12 points to the wiki gone")
  expect(plainText("```js\nconst a = 1\n```\n| a | b |\n| --- | --- |\n| 1 | 2 |")).toBe("const a = 1 a b 1 2")
})

it("plainText leaves what only looks like a mark", () => {
  expect(plainText("snake_case and 2 * 3 * 4")).toBe("snake_case and 2 * 3 * 4")
})

it("plainText reads only the beginning of a long text", () => {
  expect(plainText("word *a ".repeat(100_000)).length).toBeLessThan(2_001)
  expect(plainText(`Found${" ".repeat(200_000)}it`)).toBe("Found")
})
