import { execFileSync } from "node:child_process"
import { expect, test } from "vitest"
import { shellWord } from "./shell-word.ts"

const words = [
  "plain-1.x/y",
  "two words",
  "it's",
  "$(touch x)",
  "~",
  "",
  "größe",
  "a\u202eb'\\c",
  "line\nline",
  "\u001b[2J",
]

test.each(words)("bash reads %j back as it was", (word) => {
  const shown = shellWord(word)
  expect(execFileSync("bash", ["-c", `printf %s ${shown}`], { encoding: "utf8" })).toBe(word)
  expect(shown).toMatch(/^[^\p{C}]*$/u)
})

test("a usual word stays as it is", () => {
  expect(shellWord("/srv/my-app")).toBe("/srv/my-app")
})
