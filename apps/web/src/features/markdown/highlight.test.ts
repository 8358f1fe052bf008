import { expect, onTestFinished, test, vi } from "vitest"
import { createCodeHighlighter } from "./highlight.ts"

// The comment has a long line in its middle. If a time limit stopped that line, the lines after it would lose the
// comment's end and be coloured differently.
const code = `/* one
 two ${"word ".repeat(400)}
*/ const answer = \`a ${"$"}{"b"} c\`
const next = 42
`

test("code is coloured the same on a slow machine", async () => {
  const usual = await createCodeHighlighter().highlight(code, "ts")
  // Each call of the clock moves it one second on.
  let now = 0
  const clock = vi.spyOn(Date, "now").mockImplementation(() => {
    now += 1_000
    return now
  })
  onTestFinished(() => clock.mockRestore())
  expect(await createCodeHighlighter().highlight(code, "ts")).toEqual(usual)
})
