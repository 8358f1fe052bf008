import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createLayers, type LayerWindow } from "./layers.ts"

/** A browser's history. Moves end asynchronously, as in browsers, when `settle` runs. */
function createBrowser(...addresses: string[]) {
  let entries: { href: string; state: unknown }[] = addresses.map((href) => ({ href, state: { __NA: true } }))
  let at = entries.length - 1
  const moves: number[] = []
  const listeners = new Set<(event: PopStateEvent) => void>()
  /** History moves that the page's router received. */
  const heard: string[] = []
  const now = () => entries[at] ?? { href: "", state: null }
  const show = (href: string, state: unknown, replace: boolean) => {
    if (!replace) at += 1
    entries = [...entries.slice(0, at), { href, state }]
  }
  const window: LayerWindow = {
    history: {
      get state() {
        return now().state
      },
      pushState: (state) => show(now().href, state, false),
      back: () => void moves.push(-1),
      forward: () => void moves.push(1),
    },
    location: {
      get href() {
        return now().href
      },
    },
    addEventListener: (_, listener) => void listeners.add(listener),
    removeEventListener: (_, listener) => void listeners.delete(listener),
  }
  const move = (by: number) => {
    if (entries[at + by] === undefined) return
    at += by
    const kept: string[] = []
    const event = { state: now().state, stopImmediatePropagation: () => void kept.push(now().href) }
    // The layers use only these two members of a PopStateEvent.
    for (const listener of listeners) listener(event as PopStateEvent)
    if (kept.length === 0) heard.push(now().href)
  }
  return {
    window,
    heard,
    addresses: () => entries.slice(0, at + 1).map(({ href }) => href),
    /** Waits until all started moves have ended. */
    async settle() {
      do {
        await Promise.resolve()
        for (const by of moves.splice(0)) move(by)
        await Promise.resolve()
      } while (moves.length > 0)
    },
    press: (by: -1 | 1) => move(by),
    go: (href: string) => (how: "push" | "replace") => show(href, { __NA: true }, how === "replace"),
    reload: () => listeners.clear(),
  }
}

function open(layers: ReturnType<typeof createLayers>) {
  const layer = { closed: false, release: () => {} }
  layer.release = layers.open(() => {
    layer.closed = true
    layer.release()
  })
  return layer
}

describe("a layer over a page", () => {
  it("is closed by Back, the uppermost first, before Back leaves the page", async () => {
    const browser = createBrowser("/", "/s/1")
    const layers = createLayers(browser.window)
    layers.attach()
    const sheet = open(layers)
    const viewer = open(layers)
    await browser.settle()
    expect(browser.addresses()).toEqual(["/", "/s/1", "/s/1"])
    browser.press(-1)
    await browser.settle()
    expect([sheet.closed, viewer.closed]).toEqual([false, true])
    browser.press(-1)
    await browser.settle()
    expect(sheet.closed).toBe(true)
    expect(browser.addresses()).toEqual(["/", "/s/1"])
    expect(browser.heard).toEqual([])
    browser.press(-1)
    expect(browser.heard).toEqual(["/"])
  })

  it("closing by hand leaves no history entry, and Forward finds none", async () => {
    const browser = createBrowser("/", "/s/1")
    const layers = createLayers(browser.window)
    layers.attach()
    const sheet = open(layers)
    await browser.settle()
    sheet.release()
    await browser.settle()
    expect(browser.addresses()).toEqual(["/", "/s/1"])
    browser.press(1)
    await browser.settle()
    expect(browser.addresses()).toEqual(["/", "/s/1"])
    expect(browser.heard).toEqual([])
  })

  it("gives its entry to the page that is opened from it", async () => {
    const browser = createBrowser("/", "/s/1")
    const layers = createLayers(browser.window)
    layers.attach()
    const drawer = open(layers)
    await browser.settle()
    layers.leave(browser.go("/s/2"))
    drawer.release()
    await browser.settle()
    expect(browser.addresses()).toEqual(["/", "/s/1", "/s/2"])
  })

  it("a page opened right after closing takes the entry's place", async () => {
    const browser = createBrowser("/")
    const layers = createLayers(browser.window)
    layers.attach()
    const drawer = open(layers)
    await browser.settle()
    drawer.release()
    await Promise.resolve()
    layers.leave(browser.go("/s/new"))
    await browser.settle()
    expect(browser.addresses()).toEqual(["/", "/s/new"])
  })

  it("that closes during a navigation keeps the new page and its layers", async () => {
    const browser = createBrowser("/")
    const layers = createLayers(browser.window)
    layers.attach()
    const sheet = open(layers)
    open(layers)
    await browser.settle()
    browser.press(-1)
    layers.leave(browser.go("/s/1"))
    sheet.release()
    open(layers)
    await browser.settle()
    expect(browser.addresses()).toEqual(["/", "/s/1", "/s/1"])
  })

  it("is forgotten by a page that was reloaded under it", async () => {
    const browser = createBrowser("/", "/s/1")
    const before = createLayers(browser.window)
    before.attach()
    open(before)
    await browser.settle()
    browser.reload()
    createLayers(browser.window).attach()
    await browser.settle()
    expect(browser.addresses()).toEqual(["/", "/s/1"])
  })

  it("has one entry exactly while something is open, in any order", async () => {
    const step = fc.constantFrom("open", "close", "back", "forward", "go", "wait")
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const browser = createBrowser("/")
        const layers = createLayers(browser.window)
        layers.attach()
        let standing: ReturnType<typeof open>[] = []
        let pages = 0
        /** The page to show, until the history is moved by hand. */
        let wanted: string | undefined
        for (const each of steps) {
          if (each === "open") standing.push(open(layers))
          if (each === "close") standing.pop()?.release()
          if (each === "back" || each === "forward") {
            await browser.settle()
            browser.press(each === "back" ? -1 : 1)
            wanted = undefined
          }
          if (each === "go") {
            pages += 1
            wanted = `/s/${pages}`
            layers.leave(browser.go(wanted))
            for (const layer of standing.splice(0)) layer.release()
          }
          if (each === "wait") await browser.settle()
          standing = standing.filter(({ closed }) => !closed)
        }
        await browser.settle()
        if (wanted !== undefined) expect(browser.addresses().at(-1)).toBe(wanted)
        const repeated = browser.addresses().filter((href, index, all) => href === all[index - 1])
        expect(repeated).toHaveLength(standing.length > 0 ? 1 : 0)
      }),
    )
  })
})
