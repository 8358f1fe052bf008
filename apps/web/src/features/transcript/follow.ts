/** Where a scrolling element stands (px). */
export interface Geometry {
  top: number
  /** Of the whole content. */
  height: number
  /** Of what is seen of it. */
  client: number
}

/** What the reader wants, and what is known of the hand that scrolls. */
export interface FollowState {
  /** Stay at the end as the transcript grows. */
  wanted: boolean
  /** A wheel, finger, key or scroll bar moves the element now. */
  hand: boolean
  /** At the last scroll; null before the first. */
  last: Geometry | null
  /**
   * The page itself has moved the element since, or given its content another height, if only for a moment in which the
   * browser had to move it.
   */
  own: boolean
}

export type FollowEvent =
  /** The reader took hold: `up` when that alone says that they leave the end. */
  | { type: "hand"; up: boolean; at: Geometry }
  /** The hand let go, or what it set in motion came to rest. */
  | { type: "rest" }
  /** The page moves the element, or gives its content another height. */
  | { type: "own" }
  /** The element stands elsewhere, by whatever cause. `complete`: the loaded rows reach the newest one. */
  | { type: "scroll"; at: Geometry; complete: boolean }
  /** A key or a link goes to a row. */
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
 * Whether the transcript stays at its end. Only what the reader does changes it: content that grows, folds or is loaded
 * and a dock that takes room move the element too, but tell nothing about the reader.
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
  // Nothing else changed, so somebody moved it: a find in the page or a screen reader shows no hand.
  const moved = hand || (!own && at.height === last.height && at.client === last.client)
  if (!moved || at.top === last.top) return wanted
  const isAtEnd = distanceToEnd(at) <= atEndWithin
  return at.top > last.top ? wanted || (isAtEnd && complete) : wanted && isAtEnd
}
