import { expect, test } from "vitest"
import { moveCaret } from "./move-caret.ts"

type Direction = "forward" | "backward"

/** A field; the bars mark its selection. */
function fieldOf(marked: string, direction: Direction = "forward") {
  const [before = "", inside = "", after = ""] = marked.split("|")
  const at = marked.split("|").length === 2 ? before.length : before.length + inside.length
  return {
    value: marked.split("|").length === 2 ? before + inside : before + inside + after,
    selectionStart: before.length,
    selectionEnd: at,
    selectionDirection: direction,
    setSelectionRange(start: number | null, end: number | null, next?: "forward" | "backward" | "none") {
      this.selectionStart = start ?? 0
      this.selectionEnd = end ?? 0
      this.selectionDirection = next === "backward" ? "backward" : "forward"
    },
  }
}

function after(marked: string, keys: string[], { extend = false, direction = "forward" as Direction } = {}) {
  const field = fieldOf(marked, direction)
  for (const key of keys) moveCaret(field, key, extend)
  const { value, selectionStart: start, selectionEnd: end } = field
  const inside = start === end ? "" : `${value.slice(start, end)}|`
  return `${value.slice(0, start)}|${inside}${value.slice(end)}`
}

test("the caret moves by characters and to the ends of its line", () => {
  expect(after("ab|c", ["ArrowLeft"])).toBe("a|bc")
  expect(after("😀|", ["ArrowLeft"])).toBe("|😀")
  expect(after("|😀a", ["ArrowRight"])).toBe("😀|a")
  expect(after("|a", ["ArrowLeft"])).toBe("|a")
  expect(after("one\ntw|o\nthree", ["Home"])).toBe("one\n|two\nthree")
  expect(after("one\ntw|o\nthree", ["End"])).toBe("one\ntwo|\nthree")
  expect(after("|\none", ["Home"])).toBe("|\none")
  expect(after("a|b", ["ArrowDown"])).toBe("a|b")
})

test("moving leaves a selection at its side, or extends it", () => {
  expect(after("a|bc|d", ["ArrowLeft"])).toBe("a|bcd")
  expect(after("a|bc|d", ["ArrowRight"])).toBe("abc|d")
  expect(after("ab|cd", ["ArrowLeft", "ArrowLeft"], { extend: true })).toBe("|ab|cd")
  expect(after("ab|cd", ["End"], { extend: true })).toBe("ab|cd|")
  expect(after("a|bc|d", ["ArrowRight"], { extend: true, direction: "backward" })).toBe("ab|c|d")
})
