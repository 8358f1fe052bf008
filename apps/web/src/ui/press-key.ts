import type { HeldKey } from "./hold-keys.ts"
import { moveCaret } from "./move-caret.ts"

/**
 * Does in what has the focus what this key does when a person presses it: scripts only tell of a key. False when it
 * cannot be done.
 */
export function pressKey(pressed: HeldKey): boolean {
  const focused = document.activeElement
  const untouched = focused?.dispatchEvent(
    new KeyboardEvent("keydown", { ...pressed, bubbles: true, cancelable: true, composed: true }),
  )
  if (!untouched) return true
  // Only the browser knows where it leads.
  if (pressed.key === "Tab") return false
  if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement) edit(focused, pressed)
  else if (pressed.key === "Enter" && (focused instanceof HTMLButtonElement || focused instanceof HTMLAnchorElement))
    focused.click()
  return true
}

/** Puts text into the field that has the focus, as if it were pasted there; elsewhere it does nothing. */
export function insertText(text: string): void {
  const focused = document.activeElement
  if (focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement)
    document.execCommand("insertText", false, text)
}

/** Its commands are the one way to type into a field that its framework and its own undo hear of. */
function edit(field: HTMLInputElement | HTMLTextAreaElement, { key, shiftKey, ctrlKey, metaKey }: HeldKey): void {
  if (ctrlKey || metaKey) field.select()
  else if (key.length === 1) document.execCommand("insertText", false, key)
  else if (key === "Backspace") document.execCommand("delete")
  else if (key === "Delete") document.execCommand("forwardDelete")
  else if (key !== "Enter") moveCaret(field, key, shiftKey)
  else if (field instanceof HTMLInputElement) field.form?.requestSubmit()
  else document.execCommand("insertText", false, "\n")
}
