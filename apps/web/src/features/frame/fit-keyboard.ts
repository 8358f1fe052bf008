/** What is used of a window; `visualViewport` is what its keyboard and zoom leave of the page. */
export interface KeyboardWindow {
  innerHeight: number
  visualViewport: Pick<VisualViewport, "height" | "scale" | "addEventListener" | "removeEventListener"> | null
  document: { documentElement: { style: Pick<CSSStyleDeclaration, "setProperty" | "removeProperty"> } }
  scrollTo(x: number, y: number): void
}

/** Bars of the browser are lower, keyboards are higher (px). */
const keyboardFrom = 120
const property = "--dk-viewport"

/**
 * Keeps the height that a software keyboard leaves in `--dk-viewport`, for browsers that lay it over the page instead
 * of shrinking the page (Safari; others do as the viewport's `interactive-widget` says). Returns how to end it.
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
    // The browser has moved the page up to show the field: it is in sight without that.
    window.scrollTo(0, 0)
  }
  viewport.addEventListener("resize", fit)
  return () => {
    viewport.removeEventListener("resize", fit)
    style.removeProperty(property)
  }
}
