import { pressable, pressedName } from "./pressed.ts"

/**
 * Moves focus from the server-rendered content to the live content as soon as that is visible, and repeats the last
 * press on an element that could not react yet.
 */
export function handOver(first: HTMLElement | null): void {
  if (first === null) return
  const pressed = parse(first.dataset.pressed)
  const focused = first.contains(document.activeElement) ? placeOf(document.activeElement) : null
  const { session } = first.dataset
  if (focused === null && pressed === null) return
  // Runs after React has rendered what its effects asked for.
  queueMicrotask(() => {
    if (focused !== null) find(focused, session)?.focus({ preventScroll: true })
    if (pressed !== null) find(pressed, session)?.click()
  })
}

/** A row or a button in it, by index; any other element by name. */
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
  // The press was meant for the session that was visible then.
  const live = document.querySelector<HTMLElement>(`[data-live="${CSS.escape(session ?? "")}"]`)
  const named = [...(live?.querySelectorAll<HTMLElement>(pressable) ?? [])].filter(
    (it) => pressedName(it) === place.name,
  )
  return named.length === 1 ? (named[0] ?? null) : null
}

/** Parses the format that `first-script.ts` writes. */
function parse(text: string | undefined): Place | null {
  if (text === undefined) return null
  const [row, at]: unknown[] = JSON.parse(text)
  if (typeof row === "string" && typeof at === "number") return { row, button: at }
  return row === null && typeof at === "string" ? { name: at } : null
}
