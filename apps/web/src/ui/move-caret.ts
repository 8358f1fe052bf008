/** The text and selection of a field. The selection is null in fields without text. */
type Field = Pick<
  HTMLInputElement | HTMLTextAreaElement,
  "value" | "selectionStart" | "selectionEnd" | "selectionDirection" | "setSelectionRange"
>

/** Moves the caret as the left and right arrow keys, Home and End do; `extend` extends the selection. */
export function moveCaret(field: Field, key: string, extend: boolean): void {
  const { value, selectionStart: start, selectionEnd: end } = field
  if (start === null || end === null) return
  const backward = field.selectionDirection === "backward"
  const caret = backward ? start : end
  const to = caretAfter(key, value, extend || start === end ? [caret, caret] : [start, end], caret)
  if (to === null) return
  const anchor = extend ? (backward ? end : start) : to
  field.setSelectionRange(Math.min(anchor, to), Math.max(anchor, to), to < anchor ? "backward" : "forward")
}

function caretAfter(key: string, text: string, [start, end]: [number, number], caret: number): number | null {
  switch (key) {
    // An arrow key collapses a selection to that side.
    case "ArrowLeft":
      return start < end ? start : caret - ([...text.slice(0, caret)].at(-1)?.length ?? 0)
    case "ArrowRight":
      return start < end ? end : caret + ([...text.slice(caret)][0]?.length ?? 0)
    case "Home":
      return text.slice(0, caret).lastIndexOf("\n") + 1
    case "End":
      return caret + (text.slice(caret).split("\n")[0]?.length ?? 0)
    default:
      return null
  }
}
