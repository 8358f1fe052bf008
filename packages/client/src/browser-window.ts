/** The window of a browser, which tells of its network and of being shown; null outside of one. */
export const browserWindow: EventTarget | null = asEventTarget(globalThis)

function asEventTarget(scope: unknown): EventTarget | null {
  return scope instanceof EventTarget ? scope : null
}

/** True while the page is being left or stands in a tab that nobody sees. */
export function isLeft(): boolean {
  // Types of a browser are not known here.
  const { document } = globalThis as { document?: { visibilityState?: string } }
  return document?.visibilityState === "hidden"
}
