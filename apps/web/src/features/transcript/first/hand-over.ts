import { pressable, pressedName } from "./pressed.ts"

/**
 * What stood in a page that was brought along goes to what took its place, as soon as that is seen: focus, and the press on
 * something that could do nothing yet.
 */
export function handOver(first: HTMLElement | null): void {
  if (first === null) return
  const pressed = parse(first.dataset.pressed)
  const focused = first.contains(document.activeElement) ? placeOf(document.activeElement) : null
  const { session } = first.dataset
  if (focused === null && pressed === null) return
  // After what React draws at the end of its effects.
  queueMicrotask(() => {
    if (focused !== null) find(focused, session)?.focus({ preventScroll: true })
    if (pressed !== null) find(pressed, session)?.click()
  })
}

/** A row or a button of it by its place there, anything else by its name. */
type Place = { row: string; button: number | null } | { name: string }

function placeOf(element: Element | null): Place | null {
  const row = element?.closest<HTMLElement>("[data-row]")?.dataset.row
  if (row !== undefined) return { row, button: null }
  const named = element?.closest<HTMLElement>(pressable)
  return named ? { name: pressedName(named) } : null
}

function find(place: Place, session: string | undefined): HTMLElement | null {
  if ("row" in place) {
    const row = document.querySelector<HTMLElement>(`[data-row="${CSS.escape(place.row)}"]`)
    return place.button === null ? row : (row?.querySelectorAll("button")[place.button] ?? null)
  }
  // Whatever was meant by it was meant of the session that stood.
  const live = document.querySelector<HTMLElement>(`[data-live="${CSS.escape(session ?? "")}"]`)
  const named = [...(live?.querySelectorAll<HTMLElement>(pressable) ?? [])].filter(
    (it) => pressedName(it) === place.name,
  )
  return named.length === 1 ? (named[0] ?? null) : null
}

/** As `first-script.ts` wrote it. */
function parse(text: string | undefined): Place | null {
  if (text === undefined) return null
  const [row, at]: unknown[] = JSON.parse(text)
  if (typeof row === "string" && typeof at === "number") return { row, button: at }
  return row === null && typeof at === "string" ? { name: at } : null
}
