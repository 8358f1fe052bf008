import { expect, onTestFinished, test, vi } from "vitest"
import { createCodeHighlighter } from "./highlight.ts"

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
