import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, test } from "vitest"
import { taskTitle, titleFrom, typedTitle } from "./title-from.ts"

test.each([
  ["Fix the login:", "Fix the login"],
  ["Look at these files,\nand tell me", "Look at these files"],
  ["Count the words.", "Count the words"],
  ["Rename it;  ", "Rename it"],
  ["Wait for it...", "Wait for it..."],
  ["Wait for it…", "Wait for it…"],
  ["Does it work?", "Does it work?"],
  ['"Fix the login":', "Fix the login"],
  ["“Fix the login:”", "Fix the login"],
  ["Title: Fix the login", "Fix the login"],
  ["# Fix the **login** of `docket`", "Fix the login of docket"],
  ["**Fix the login:**", "Fix the login"],
  ["- [Fix](https://example.org/x) the login", "Fix the login"],
  ["<title>Fix the login</title>", "Fix the login"],
  ["<think>They want\nhelp</think>\n\nFix the login", "Fix the login"],
  ["<think>They want help and I never end", ""],
  ["```\nFix the login\n```", "Fix the login"],
  ["---\nFix the login", "Fix the login"],
  ["Fix snake_case_name in Array<string>", "Fix snake_case_name in Array<string>"],
  ["2 * 3 * 4 is 24", "2 * 3 * 4 is 24"],
  ["Look at src/", "Look at src/"],
  ["Fix\u202e nigol\u0000 the\tlogin", "Fix nigol the login"],
  ["  \n:\n", ""],
])("of %j the title is %j", (text, title) => {
  expect(titleFrom(text)).toBe(title)
})

test("a long title is cut by visible length, never within a character", () => {
  expect(titleFrom("word ".repeat(40), 20)).toBe("word word word word…")
  expect(titleFrom(`${"x".repeat(18)}😀😀`, 20)).toBe(`${"x".repeat(18)}…`)
})

test("any model answer becomes a title of one short, complete line", () => {
  const piece = fc.constantFrom(
    ":",
    ",",
    '"',
    "**",
    "\n",
    "<b>",
    "#",
    " ",
    "word",
    "`",
    "…",
    ".",
    "<think>",
    "\u2028",
    "😀",
  )
  const said = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.array(piece).map((pieces) => pieces.join("")),
  )
  fc.assert(
    fc.property(said, fc.integer({ min: 5, max: 100 }), (text, most) => {
      const title = titleFrom(text, most)
      expect(title.length).toBeLessThanOrEqual(most)
      expect(title).not.toMatch(/[\p{Cc}\u2028\u2029`]|[,:;\s]$|^\s/u)
      expect(title.isWellFormed() || !text.isWellFormed()).toBe(true)
    }),
    drawn(),
  )
})

test("a task title is one short visible line for any description", () => {
  expect(taskTitle("**Look** for\u202e nigol\nand more")).toBe("Look for nigol")
  expect(taskTitle("→ ?")).toBe("→ ?")
  expect(taskTitle("\u202e\u0007\n")).toBe("Task")
  expect(taskTitle("?".repeat(5_000))).toHaveLength(100)
  expect(taskTitle(`${"?".repeat(99)}😀`).isWellFormed()).toBe(true)
})

test("a typed title keeps its words but loses control and direction characters", () => {
  expect(typedTitle(" Fix `a` **now**. ")).toBe("Fix `a` **now**.")
  expect(typedTitle("in\u202evoice\u0000.pdf\n\u2067x\u200b")).toBe("in voice .pdf x")
  expect(typedTitle("\u202e\u0000")).toBe("")
  expect(typedTitle("👩‍💻 déjà שלום")).toBe("👩‍💻 déjà שלום")
})
