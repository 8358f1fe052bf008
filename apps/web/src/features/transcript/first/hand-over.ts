/**
 * What rows that the page brought along had goes to those behind them, as soon as these are seen: focus, and the press
 * on a button that could do nothing yet.
 */
export function handOver(first: HTMLElement | null): void {
  const pressed = parse(first?.dataset.pressed)
  const focused = first?.contains(document.activeElement)
    ? document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row
    : undefined
  if (focused === undefined && pressed === null) return
  // After what React draws at the end of its effects.
  queueMicrotask(() => {
    if (focused !== undefined) rowOf(focused)?.focus({ preventScroll: true })
    if (pressed !== null) rowOf(pressed.row)?.querySelectorAll("button")[pressed.button]?.click()
  })
}

function rowOf(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-row="${CSS.escape(key)}"]`)
}

/** As `first-script.ts` wrote it. */
function parse(text: string | undefined): { row: string; button: number } | null {
  if (text === undefined) return null
  const [row, button]: unknown[] = JSON.parse(text)
  return typeof row === "string" && typeof button === "number" ? { row, button } : null
}
