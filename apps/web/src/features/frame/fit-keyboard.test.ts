import { expect, it } from "vitest"
import { fitKeyboard } from "./fit-keyboard.ts"

class Viewport extends EventTarget {
  height = 844
  scale = 1
  become(height: number, scale = 1) {
    this.height = height
    this.scale = scale
    this.dispatchEvent(new Event("resize"))
  }
}

it("the page shrinks above a keyboard, not for zoom or browser bars", () => {
  const viewport = new Viewport()
  const set = new Map<string, string>()
  const style = {
    setProperty: (name: string, value: string | null) => void set.set(name, value ?? ""),
    removeProperty: (name: string) => {
      set.delete(name)
      return ""
    },
  }
  const moved: number[] = []
  const end = fitKeyboard({
    innerHeight: 844,
    // Of the events only `resize` is used.
    visualViewport: viewport as unknown as VisualViewport,
    document: { documentElement: { style } },
    scrollTo: (_, y) => void moved.push(y),
  })
  viewport.become(790)
  expect(set.size).toBe(0)
  viewport.become(510)
  expect(set.get("--dk-viewport")).toBe("510px")
  expect(moved).toEqual([0])
  viewport.become(300, 2)
  expect(set.size).toBe(0)
  viewport.become(510)
  end()
  expect(set.size).toBe(0)
})
