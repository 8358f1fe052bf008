/** The window of a browser, which tells of its network and of being shown; null outside of one. */
export const browserWindow: EventTarget | null = asEventTarget(globalThis)

function asEventTarget(scope: unknown): EventTarget | null {
  return scope instanceof EventTarget ? scope : null
}
