/** Number of focused elements that are remembered: more than the deepest stack of dialogs. */
const mostPlaces = 12

const focusable =
  "[data-composer], [tabindex='0'], a[href], button:enabled, input:enabled, select:enabled, textarea:enabled"

/** An element that had focus, followed by its ancestors from inside out. */
type Place = readonly Element[]

/**
 * Keeps keyboard focus on an element: when a dialog closes, a row disappears or the page changes, focus returns to the
 * element that had it before, or to the nearest one. Returns a function that stops it.
 */
export function keepFocus(root: Document): () => void {
  const places: Place[] = []
  /** The user pressed an element that takes no focus, so they removed focus on purpose. */
  let leftOnPurpose = false
  /**
   * The prompt field disappeared with its page: focus goes to the next page's field, unless the user moves it first.
   */
  let awaitsComposer = false

  const remember = ({ target }: FocusEvent) => {
    if (!(target instanceof Element)) return
    leftOnPurpose = false
    awaitsComposer = false
    places.push(placeOf(target))
    if (places.length > mostPlaces) places.shift()
  }
  const onPointerDown = () => {
    leftOnPurpose = true
    awaitsComposer = false
  }
  const onKeyDown = () => {
    awaitsComposer = false
  }
  const restoreFocus = () => {
    const next = awaitsComposer ? root.querySelector("[data-composer]") : null
    if (next) {
      awaitsComposer = false
      focus(next)
      return
    }
    const last = places.at(-1)?.[0]
    if (last === undefined || root.activeElement !== root.body) return
    // A button that is disabled while it works gets focus back afterwards.
    if (last.isConnected && (leftOnPurpose || last.matches(":disabled"))) return
    const isLostComposer = last.matches("[data-composer]") && !last.isConnected
    focus(wayBack(places))
    awaitsComposer = isLostComposer
  }

  const observer = new MutationObserver(restoreFocus)
  observer.observe(root.body, { childList: true, subtree: true, attributes: true, attributeFilter: ["disabled"] })
  root.addEventListener("focusin", remember)
  root.addEventListener("pointerdown", onPointerDown, true)
  root.addEventListener("keydown", onKeyDown, true)
  return () => {
    observer.disconnect()
    root.removeEventListener("focusin", remember)
    root.removeEventListener("pointerdown", onPointerDown, true)
    root.removeEventListener("keydown", onKeyDown, true)
  }
}

function placeOf(target: Element): Place {
  const place: Element[] = []
  for (let element: Element | null = target; element; element = element.parentElement) place.push(element)
  // Without body and html, which contain every element.
  return place.slice(0, -2)
}

/** The newest place that still exists: the element itself, or the first focusable element in what is left around it. */
function wayBack(places: Place[]): Element | null {
  for (const [element, ...outer] of places.toReversed()) {
    if (element && takesFocus(element)) return element
    for (const part of outer) {
      if (!part.isConnected || !part.checkVisibility()) continue
      if (part.hasAttribute("tabindex")) return part
      const inside = [...part.querySelectorAll(focusable)].find((candidate) => candidate.checkVisibility())
      if (inside) return inside
    }
  }
  return null
}

function takesFocus(element: Element): boolean {
  return element.isConnected && element.checkVisibility() && !element.matches(":disabled")
}

function focus(element: Element | null): void {
  if (element instanceof HTMLElement) element.focus({ preventScroll: true })
}
