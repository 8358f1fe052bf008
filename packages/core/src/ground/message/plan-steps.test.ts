import fc from "fast-check"
import { expect, it } from "vitest"
import { planSteps } from "./plan-steps.ts"

const contents = (markdown: string) => planSteps(markdown).map(({ content }) => content)

it("numbered steps are taken with what stands below them", () => {
  const markdown = [
    "# Login page",
    "Goal: people sign in.",
    "",
    "1. **Add the page** in `src/login.tsx`",
    "   - a form",
    "   - a button",
    "2) Test it",
    "",
    "Out of scope: passwords.",
  ].join("\n")
  expect(planSteps(markdown)).toEqual([
    { content: "Add the page in `src/login.tsx`", description: "- a form\n- a button", isDone: false },
    { content: "Test it", description: "", isDone: false },
  ])
})

it("check-list steps are taken, ticked ones as done", () => {
  expect(planSteps("- [ ] one\n- [x] two\n* [X] three\n- no step")).toMatchObject([
    { content: "one", isDone: false },
    { content: "two", isDone: true },
    { content: "three", isDone: true },
  ])
})

it("of several lists, the one called “Steps” counts, else the longest", () => {
  expect(contents("## Risks\n1. a\n2. b\n3. c\n## Steps\n1. d\n2. e")).toEqual(["d", "e"])
  expect(contents("## Goals\n1. a\n## How\n1. d\n2. e")).toEqual(["d", "e"])
})

it("two or more numbered headings are the plan's steps", () => {
  expect(contents("# Plan\n## 1. Add the page\nText\n### Files\n1. a\n## Step 2: Test it\n1. b")).toEqual([
    "Add the page",
    "Test it",
  ])
})

it("numbered lines and check boxes in code are no steps", () => {
  expect(contents("```sh\n1. rm\n- [ ] x\n```\n1. real\n   ```\n   2. code\n   ```\n2. next")).toEqual(["real", "next"])
})

it("any text yields only non-empty steps, within the todo limit", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("1. a", "- [ ] ", "```", "## 2. b", "  text", "", "\u202e", "1) **x**")),
      (lines) => {
        for (const { content } of planSteps(lines.join("\n"))) expect(content.trim()).not.toBe("")
      },
    ),
  )
  expect(planSteps(Array.from({ length: 900 }, (_, n) => `${n % 1_000}. x`).join("\n"))).toHaveLength(200)
})
