/** Whether this element receives typed text, so that page shortcuts are off. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches("input, textarea, select, [role=combobox]")
}
