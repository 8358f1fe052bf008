/** Elements over a page, such as sheets, dialogs and viewers. Back closes them before it leaves the page. */
export interface Layers {
  /**
   * Opens a layer over the page. `close` is called when Back closes it. Returns a function that reports that it is
   * closed.
   */
  open(close: () => void): () => void
  /** Goes to another page, from the page or from a layer: as a new history entry, or in place of the layers' entry. */
  leave(go: Go): void
  /** Listens to the window. Returns a function that stops listening. */
  attach(): () => void
}

/** Shows another page, as a new history entry or in place of the current one. */
type Go = (how: "push" | "replace") => void

/** The members of a window that the layers use. */
export interface LayerWindow {
  history: Pick<History, "pushState" | "back" | "forward" | "state">
  location: Pick<Location, "href">
  addEventListener(type: "popstate", listener: (event: PopStateEvent) => void, capture: true): void
  removeEventListener(type: "popstate", listener: (event: PopStateEvent) => void, capture: true): void
}

/** Marks the entry in its history state, which survives a reload. */
const stateKey = "docketLayer"

/**
 * Keeps one history entry above the page's entry while at least one layer is open. A real entry works with Back and
 * swipe in every browser; close watchers do not get Back on a desktop.
 */
export function createLayers(window: LayerWindow): Layers {
  const { history } = window
  const layers: { close: () => void }[] = []
  /** The layers' entry is the current one. */
  let onEntry = false
  /** The page that the entry belongs to. */
  let page = ""
  /** A history move of this module is in progress. */
  let moving = false
  /** Navigations requested while a move was in progress. */
  const waiting: Go[] = []

  const move = (by: "back" | "forward") => {
    moving = true
    history[by]()
  }
  /** Shows another page in place of the layers' entry, or as a new entry. */
  const take = (go: Go) => {
    const how = onEntry ? "replace" : "push"
    onEntry = false
    go(how)
  }
  const settle = () => {
    if (moving) return
    if (layers.length > 0 && !onEntry) {
      page = window.location.href
      history.pushState({ [stateKey]: true }, "")
      onEntry = true
    } else if (layers.length === 0 && onEntry) {
      onEntry = false
      move("back")
    }
  }
  const arrive = (event: PopStateEvent) => {
    const marked = isMarked(event.state)
    const samePage = window.location.href === page
    const isOwnMove = moving
    moving = false
    const staysOnPage = (onEntry || marked) && samePage
    // The page is the same, so its router must not handle the event.
    if (isOwnMove || staysOnPage) event.stopImmediatePropagation()
    if (isOwnMove) {
      onEntry = marked && samePage
      for (const go of waiting.splice(0)) take(go)
    } else if (onEntry && !marked) {
      onEntry = false
      for (const layer of samePage ? layers.splice(-1) : layers.splice(0)) layer.close()
      // Other layers stay open, and keep the entry.
      if (layers.length > 0) move("forward")
    } else if (marked && layers.length === 0) {
      page = window.location.href
      move("back")
    }
    settle()
  }

  return {
    open(close) {
      const layer = { close }
      layers.push(layer)
      // A dialog that follows a menu reuses its entry.
      queueMicrotask(settle)
      return () => {
        if (layers.includes(layer)) layers.splice(layers.indexOf(layer), 1)
        queueMicrotask(settle)
      }
    },
    leave(go) {
      // The layers close with their page, so their history needs no correction.
      layers.splice(0)
      if (moving) waiting.push(go)
      else take(go)
    },
    attach() {
      window.addEventListener("popstate", arrive, true)
      // The page was reloaded with a layer open. The new page has no layer, so the entry is removed.
      if (isMarked(history.state) && !moving) {
        page = window.location.href
        move("back")
      }
      return () => window.removeEventListener("popstate", arrive, true)
    },
  }
}

function isMarked(state: unknown): boolean {
  return typeof state === "object" && state !== null && stateKey in state
}
