import fc from "fast-check"
import { expect, test } from "vitest"
import {
  atEndWithin,
  distanceToEnd,
  type FollowEvent,
  type FollowState,
  follow,
  type Geometry,
  startFollowing,
} from "./follow.ts"

/**
 * An element that behaves like one in a browser, with the transcript's rule: while followed, it is scrolled to its end.
 */
class Screen {
  at: Geometry = { top: 0, height: 0, client: 600 }
  /** Whether the newest rows are loaded. */
  complete = true
  state: FollowState

  constructor(wanted = true) {
    this.state = startFollowing(wanted)
    this.change({ height: 2_000 })
  }

  get distance() {
    return distanceToEnd(this.at)
  }

  /** Content or available space changes: the browser clamps the position, and a followed page stays at the end. */
  change(next: Partial<Geometry>) {
    this.at = { ...this.at, ...next }
    const max = Math.max(0, this.at.height - this.at.client)
    this.at.top = this.state.wanted && this.complete ? max : Math.min(this.at.top, max)
    this.tell({ type: "scroll", at: this.at, complete: this.complete })
  }

  /** Content disappears and returns before the browser reports a scroll, so the position moved up in between. */
  flicker(least: number) {
    this.tell({ type: "own" })
    this.at = { ...this.at, top: Math.min(this.at.top, Math.max(0, least - this.at.client)) }
    this.tell({ type: "scroll", at: this.at, complete: this.complete })
    this.change({})
  }

  /** The list corrects its position by `by` px before its content has the matching height. */
  correct(by: number) {
    this.tell({ type: "own" })
    const max = Math.max(0, this.at.height - this.at.client)
    this.at = { ...this.at, top: Math.min(max, Math.max(0, this.at.top + by)) }
    this.tell({ type: "scroll", at: this.at, complete: this.complete })
    this.change({ height: Math.max(0, this.at.height + by) })
  }

  /** The reader turns the wheel by `by` px. The content may change in the same frame. */
  wheel(by: number, grown = 0) {
    this.tell({ type: "hand", up: by < 0, at: this.at })
    const height = this.at.height + grown
    const max = Math.max(0, height - this.at.client)
    this.at = { ...this.at, height, top: Math.min(max, Math.max(0, this.at.top + by)) }
    this.tell({ type: "scroll", at: this.at, complete: this.complete })
    this.tell({ type: "rest" })
    this.change({})
  }

  tell(event: FollowEvent) {
    this.state = follow(this.state, event)
  }
}

test("growth, folds and a dock do not end following", () => {
  const screen = new Screen()
  for (const change of [{ height: 2_049 }, { height: 9_000 }, { client: 380 }, { height: 3_000 }, { client: 600 }]) {
    screen.change(change)
    expect(screen.distance).toBe(0)
  }
})

test("scrolling up leaves the end at once; only reaching it returns", () => {
  const screen = new Screen()
  screen.wheel(-3)
  screen.change({ height: 5_000 })
  expect(screen.at.top).toBe(1_397)
  screen.wheel(500)
  expect(screen.state.wanted).toBe(false)
  screen.wheel(9_999)
  screen.change({ height: 6_000 })
  expect(screen.distance).toBe(0)
})

test("content that disappears for a moment does not end following", () => {
  const screen = new Screen()
  screen.change({ height: 3_000 })
  screen.flicker(900)
  expect(screen.distance).toBe(0)
  screen.wheel(-300)
  screen.flicker(900)
  expect(screen.state.wanted).toBe(false)
})

test("the list's own scroll correction does not stop following the end", () => {
  const screen = new Screen()
  screen.change({ height: 3_000 })
  screen.correct(-200)
  screen.correct(-90)
  expect(screen.state.wanted).toBe(true)
  expect(screen.distance).toBe(0)
})

test("a fold that shows the end does not make the reader follow", () => {
  const screen = new Screen()
  screen.wheel(-300)
  screen.change({ height: 1_200 })
  expect(screen.distance).toBe(0)
  screen.change({ height: 4_000 })
  expect(screen.at.top).toBe(600)
})

test("the loaded end is not the end while newer rows are missing", () => {
  const screen = new Screen(false)
  screen.complete = false
  screen.wheel(9_999)
  expect(screen.state.wanted).toBe(false)
  screen.complete = true
  screen.change({ height: 8_000 })
  expect(screen.at.top).toBe(1_400)
})

test("page search and screen readers also leave the end", () => {
  const screen = new Screen()
  screen.at = { ...screen.at, top: 200 }
  screen.tell({ type: "scroll", at: screen.at, complete: true })
  expect(screen.state.wanted).toBe(false)
})

test("a wheel up where nothing can be scrolled leaves nothing", () => {
  const screen = new Screen()
  screen.change({ height: 300 })
  screen.wheel(-40)
  expect(screen.state.wanted).toBe(true)
})

test("a key that focuses an older row stops following", () => {
  const screen = new Screen()
  screen.tell({ type: "go", newest: false })
  expect(screen.state.wanted).toBe(false)
  screen.tell({ type: "go", newest: true })
  expect(screen.state.wanted).toBe(true)
})

const px = fc.integer({ min: 1, max: 3_000 })
const step = fc.oneof(
  fc.record({ kind: fc.constant("grow" as const), by: px }),
  fc.record({ kind: fc.constant("fold" as const), by: px }),
  fc.record({ kind: fc.constant("flicker" as const), by: px }),
  fc.record({ kind: fc.constant("correct" as const), by: fc.integer({ min: -3_000, max: 3_000 }) }),
  fc.record({ kind: fc.constant("dock" as const), by: fc.integer({ min: 0, max: 420 }) }),
  fc.record({ kind: fc.constant("up" as const), by: px, grown: fc.integer({ min: 0, max: 900 }) }),
  fc.record({ kind: fc.constant("down" as const), by: px, grown: fc.integer({ min: 0, max: 900 }) }),
)

test("in any order of events, the end is shown exactly while wanted", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const screen = new Screen()
      for (const it of steps) {
        const before = screen.at
        const wanted = screen.state.wanted
        if (it.kind === "up" || it.kind === "down") {
          screen.wheel(it.kind === "up" ? -it.by : it.by, it.grown)
          const scrollable = before.height > before.client
          if (it.kind === "up" && scrollable) expect(screen.state.wanted).toBe(false)
          if (it.kind === "down" && wanted) expect(screen.state.wanted).toBe(true)
          if (it.kind === "down" && screen.at.top > before.top && screen.distance <= atEndWithin)
            expect(screen.state.wanted).toBe(true)
        } else {
          if (it.kind === "grow") screen.change({ height: before.height + it.by })
          if (it.kind === "fold") screen.change({ height: Math.max(0, before.height - it.by) })
          if (it.kind === "dock") screen.change({ client: 600 - it.by })
          if (it.kind === "flicker") screen.flicker(it.by)
          if (it.kind === "correct") screen.correct(it.by)
          expect(screen.state.wanted).toBe(wanted)
          if (!wanted && it.kind !== "flicker" && it.kind !== "correct")
            expect(screen.at.top).toBe(Math.min(before.top, Math.max(0, screen.at.height - screen.at.client)))
        }
        if (screen.state.wanted) expect(screen.distance).toBeLessThanOrEqual(0)
      }
    }),
  )
})
