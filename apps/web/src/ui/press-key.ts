import type { HeldKey } from "./hold-keys.ts"
import { moveCaret } from "./move-caret.ts"

/**
 * Performs a key's default action in the focused element: a dispatched event alone does not do that. Returns false when
 * it is impossible.
 */
export function pressKey(pressed: HeldKey): boolean {
  const focused = document.activeElement
  const untouched = focused?.dispatchEvent(
    new KeyboardEvent("keydown", { ...pressed, bubbles: true, cancelable: true, composed: true }),
  )
  if (!untouched) return true
  // Only the browser knows the next element.
  if (pressed.key === "Tab") return false
  if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement) edit(focused, pressed)
  else if (pressed.key === "Enter" && (focused instanceof HTMLButtonElement || focused instanceof HTMLAnchorElement))
    focused.click()
  return true
}

/** Inserts text into the focused field as a paste does; does nothing elsewhere. */
export function insertText(text: string): void {
  const focused = document.activeElement
  if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement)
    document.execCommand("insertText", false, text)
}

/** `execCommand` is the only way to type into a field that React and the field's undo history notice. */
function edit(field: HTMLInputElement | HTMLTextAreaElement, { key, shiftKey, ctrlKey, metaKey }: HeldKey): void {
  if (ctrlKey || metaKey) field.select()
  else if (key.length === 1) document.execCommand("insertText", false, key)
  else if (key === "Backspace") document.execCommand("delete")
  else if (key === "Delete") document.execCommand("forwardDelete")
  else if (key !== "Enter") moveCaret(field, key, shiftKey)
  else if (field instanceof HTMLInputElement) field.form?.requestSubmit()
  else document.execCommand("insertText", false, "\n")
}
