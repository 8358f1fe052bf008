/** Closer to the end than this counts as being there (px). */
export const atEndWithin = 8

/** How far an element can still be scrolled down (px). */
export function distanceToEnd(element: HTMLElement): number {
  return element.scrollHeight - element.scrollTop - element.clientHeight
}
