import { expect, test } from "vitest"
import { fencedTexts } from "./fenced-texts.ts"

test.each([
  ["```json\n1\n```", ["1"]],
  ["Here: ```\n1\n2\n  ```\nand\n```json  \n3\n```", ["1\n2", "3"]],
  ["```ts\n1\n```\n2\n```", ["2"]],
  ["```json\n1", []],
])("%j has these texts in fences", (text, texts) => {
  expect([...fencedTexts(text.split("\n"))]).toEqual(texts)
})

test("each line is read once, however many fences are open", () => {
  let reads = 0
  function* lines() {
    for (; reads < 10_000; reads++) yield reads % 2 === 0 ? "x```" : "x"
  }
  expect([...fencedTexts(lines())]).toEqual([])
  expect(reads).toBe(10_000)
})
