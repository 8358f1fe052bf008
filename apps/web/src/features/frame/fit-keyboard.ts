/** The part of `window` that is used; `visualViewport` is the area that the keyboard and zoom leave visible. */
export interface KeyboardWindow {
  innerHeight: number
  visualViewport: Pick<VisualViewport, "height" | "scale" | "addEventListener" | "removeEventListener"> | null
  document: { documentElement: { style: Pick<CSSStyleDeclaration, "setProperty" | "removeProperty"> } }
  scrollTo(x: number, y: number): void
}

/** Height that tells a keyboard from the browser's bars, which are lower (px). */
const keyboardFrom = 120
const property = "--dk-viewport"

/**
 * Stores the height that a software keyboard leaves visible in `--dk-viewport`. Safari lays the keyboard over the page;
 * other browsers shrink the page as the viewport's `interactive-widget` says. Returns a function that stops it.
 */
export function fitKeyboard(window: KeyboardWindow): () => void {
  const { visualViewport: viewport } = window
  const { style } = window.document.documentElement
  if (viewport === null) return () => {}
  const fit = () => {
    const covered = window.innerHeight - viewport.height
    if (viewport.scale > 1 || covered < keyboardFrom) {
      style.removeProperty(property)
      return
    }
    style.setProperty(property, `${viewport.height}px`)
    // The browser has scrolled the page to show the field, but it is visible without that.
    window.scrollTo(0, 0)
  }
  viewport.addEventListener("resize", fit)
  return () => {
    viewport.removeEventListener("resize", fit)
    style.removeProperty(property)
  }
}
