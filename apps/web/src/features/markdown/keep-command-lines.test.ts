import { expect, it } from "vitest"
import { keepCommandLines } from "./keep-command-lines.ts"

it("lines of a paragraph with a command stay separate lines", () => {
  expect(keepCommandLines("I add two:\n/todo add milk\n/todo add bread\n\nThat is\nall.")).toBe(
    "I add two:  \n/todo add milk  \n/todo add bread\n\nThat is\nall.",
  )
  expect(keepCommandLines("/parallel\n/agent explore x\n/endparallel")).toBe(
    "/parallel  \n/agent explore x  \n/endparallel",
  )
})

it("code and paragraphs without a command stay unchanged", () => {
  for (const text of ["a\nb", "see /todos\nand /agents", "```\n/todo add x\n/todo list\n```", "```\n/todo list\nx"])
    expect(keepCommandLines(text)).toBe(text)
  expect(keepCommandLines("```sh\nls\n\n/todo a\n/todo b\n```\n/todo x\n/todo y")).toBe(
    "```sh\nls\n\n/todo a\n/todo b\n```\n/todo x  \n/todo y",
  )
})
