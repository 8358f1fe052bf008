/** The browser's `window`; null outside of a browser. */
export const browserWindow: EventTarget | null = asEventTarget(globalThis)

function asEventTarget(scope: unknown): EventTarget | null {
  return scope instanceof EventTarget ? scope : null
}

/** True while the page is hidden or being unloaded. */
export function isPageHidden(): boolean {
  // This package is compiled without DOM types.
  const { document } = globalThis as { document?: { visibilityState?: string } }
  return document?.visibilityState === "hidden"
}
