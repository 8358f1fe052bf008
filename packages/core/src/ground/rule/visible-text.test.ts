import { expect, test } from "vitest"
import { visibleText } from "./visible-text.ts"

test.each([
  ["a wiped line", "rm -r src\u001b[2K\rls", "rm -r src\\u{1b}[2K\\u{d}ls"],
  ["a text turned around", "cat \u202etxt.exe", "cat \\u{202e}txt.exe"],
  ["a hidden space", "rm\u200b -r", "rm\\u{200b} -r"],
  ["a line end of its own", "ls\u2028rm", "ls\\u{2028}rm"],
  ["variants of letters", "l\ufe01s\u{e0102}\ufe0f", "l\\u{fe01}s\\u{e0102}\\u{fe0f}"],
  ["invisible letters", "ls\u{e0072}", "ls\\u{e0072}"],
])("%s is made visible", (_what, text, seen) => {
  expect(visibleText(text)).toBe(seen)
})

test("lines, tabs, emoji and other scripts stay as they are", () => {
  const text = "echo a\r\n\techo b\n👩‍👧 می‌خواهم Größe 日本 ❤\ufe0f 1\ufe0f 葛\u{e0100}"
  expect(visibleText(text)).toBe(text)
})
