/** Scroll position and size of an element (px). */
export interface Geometry {
  top: number
  /** Height of the whole content. */
  height: number
  /** Height of the visible part. */
  client: number
}

/** What the reader wants, and whether the reader is scrolling now. */
export interface FollowState {
  /** Stay at the end as the transcript grows. */
  wanted: boolean
  /** The reader scrolls now, by wheel, finger, key or scroll bar. */
  hand: boolean
  /** At the last scroll; null before the first. */
  last: Geometry | null
  /**
   * Since the last scroll event the page itself moved the element or changed its content height, even if only for a
   * moment.
   */
  own: boolean
}

export type FollowEvent =
  /** The reader starts to scroll. `up`: this action alone means that the reader leaves the end. */
  | { type: "hand"; up: boolean; at: Geometry }
  /** The reader stops scrolling, or the scroll animation ends. */
  | { type: "rest" }
  /** The page moves the element or changes its content height. */
  | { type: "own" }
  /** The scroll position changed, for any reason. `complete`: the loaded rows include the newest one. */
  | { type: "scroll"; at: Geometry; complete: boolean }
  /** A key or a link moves to a row. */
  | { type: "go"; newest: boolean }

/** Closer to the end than this counts as being there (px). */
export const atEndWithin = 8

/** How far the element can still be scrolled down (px). */
export function distanceToEnd({ top, height, client }: Geometry): number {
  return height - top - client
}

export function startFollowing(wanted: boolean): FollowState {
  return { wanted, hand: false, last: null, own: false }
}

/**
 * Returns whether the transcript stays at its end. Only an action of the reader changes this. Growing, folding or
 * loading content and a dock that opens also move the element, but they say nothing about the reader.
 */
export function follow(state: FollowState, event: FollowEvent): FollowState {
  switch (event.type) {
    case "hand": {
      const leaves = event.up && event.at.height > event.at.client
      return { ...state, hand: true, wanted: state.wanted && !leaves }
    }
    case "rest":
      return { ...state, hand: false }
    case "go":
      return { ...state, wanted: event.newest }
    case "own":
      return { ...state, own: true }
    case "scroll":
      return { ...state, last: event.at, own: false, wanted: wantedAfter(state, event) }
  }
}

function wantedAfter(
  { wanted, hand, last, own }: FollowState,
  { at, complete }: { at: Geometry; complete: boolean },
): boolean {
  if (last === null) return wanted
  // When nothing else changed, the reader moved it: a find in the page and a screen reader send no input events.
  const onlyTopChanged = !own && at.height === last.height && at.client === last.client
  const movedByReader = hand || onlyTopChanged
  if (!movedByReader || at.top === last.top) return wanted
  const isAtEnd = distanceToEnd(at) <= atEndWithin
  return at.top > last.top ? wanted || (isAtEnd && complete) : wanted && isAtEnd
}
