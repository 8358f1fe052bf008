/** What stands over a page, such as a sheet, a dialog or a viewer: Back closes it before it leaves the page. */
export interface Layers {
  /** A layer stands over the page; `close` is called when Back closes it. Returns what tells that it is closed. */
  open(close: () => void): () => void
  /** Goes from the page, or from a layer over it, to another one: as a new entry, or in place of the layers' entry. */
  leave(go: Go): void
  /** Listens to the window until the returned function is called. */
  attach(): () => void
}

/** Shows another page: as an entry of its own, or in place of the one that is shown. */
type Go = (how: "push" | "replace") => void

/** What the layers use of a window. */
export interface LayerWindow {
  history: Pick<History, "pushState" | "back" | "forward" | "state">
  location: Pick<Location, "href">
  addEventListener(type: "popstate", listener: (event: PopStateEvent) => void, capture: true): void
  removeEventListener(type: "popstate", listener: (event: PopStateEvent) => void, capture: true): void
}

/** Marks the entry in its state, which outlasts a reload. */
const mark = "docketLayer"

/**
 * Keeps one entry in the history above that of the page while at least one layer is open, and none otherwise.
 * An entry of its own is what every browser's Back and swipe goes by; close watchers hear no Back on a desktop.
 */
export function createLayers(window: LayerWindow): Layers {
  const { history } = window
  const layers: { close: () => void }[] = []
  /** The layers' entry is the one shown. */
  let onEntry = false
  /** The page on which the entry stands. */
  let page = ""
  /** A move that was asked for here is on its way. */
  let moving = false
  /** Went on while a move was on its way. */
  const waiting: Go[] = []

  const move = (by: "back" | "forward") => {
    moving = true
    history[by]()
  }
  /** Puts another page where the entry stands, or above what is shown. */
  const take = (go: Go) => {
    const how = onEntry ? "replace" : "push"
    onEntry = false
    go(how)
  }
  const settle = () => {
    if (moving) return
    if (layers.length > 0 && !onEntry) {
      page = window.location.href
      history.pushState({ [mark]: true }, "")
      onEntry = true
    } else if (layers.length === 0 && onEntry) {
      onEntry = false
      move("back")
    }
  }
  const arrive = (event: PopStateEvent) => {
    const marked = isMarked(event.state)
    const samePage = window.location.href === page
    const asked = moving
    moving = false
    // The page is the same one: to its router nothing has happened.
    if (asked || ((onEntry || marked) && samePage)) event.stopImmediatePropagation()
    if (asked) {
      onEntry = marked && samePage
      for (const go of waiting.splice(0)) take(go)
    } else if (onEntry && !marked) {
      onEntry = false
      for (const layer of samePage ? layers.splice(-1) : layers.splice(0)) layer.close()
      // The layers below stay, and so does their entry.
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
      // A dialog that follows a menu takes over its entry.
      queueMicrotask(settle)
      return () => {
        if (layers.includes(layer)) layers.splice(layers.indexOf(layer), 1)
        queueMicrotask(settle)
      }
    },
    leave(go) {
      // They close with their page: nothing is set right for them any more.
      layers.splice(0)
      if (moving) waiting.push(go)
      else take(go)
    },
    attach() {
      window.addEventListener("popstate", arrive, true)
      // Reloaded with a layer open, which a page that was loaded afresh does not have.
      if (isMarked(history.state) && !moving) {
        page = window.location.href
        move("back")
      }
      return () => window.removeEventListener("popstate", arrive, true)
    },
  }
}

function isMarked(state: unknown): boolean {
  return typeof state === "object" && state !== null && mark in state
}
