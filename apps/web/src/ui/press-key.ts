import type { HeldKey } from "./hold-keys.ts"

/** Does in what has the focus what this key does when a person presses it: scripts only tell of a key. */
export function pressKey({ key, code, shiftKey }: HeldKey): void {
  const focused = document.activeElement
  const untouched = focused?.dispatchEvent(
    new KeyboardEvent("keydown", { key, code, shiftKey, bubbles: true, cancelable: true, composed: true }),
  )
  if (!untouched) return
  const isField = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement
  // The one way to type into a field that its framework and its own undo hear of.
  if (isField && key.length === 1) document.execCommand("insertText", false, key)
  else if (isField && key === "Backspace") document.execCommand("delete")
  else if (focused instanceof HTMLInputElement && key === "Enter") focused.form?.requestSubmit()
  else if (focused instanceof HTMLButtonElement && key === "Enter") focused.click()
}
