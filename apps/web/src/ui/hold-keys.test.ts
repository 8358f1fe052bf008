import { expect, test, vi } from "vitest"
import { type HeldKey, holdKeys } from "./hold-keys.ts"

/** An element that opens over a page. A Tab leaves it. `taken` is awaited before each held key is pressed. */
function open(taken = () => Promise.resolve()) {
  const target = new EventTarget()
  const pressed: string[] = []
  const onLeave = vi.fn()
  const inside = { it: false }
  const hold = holdKeys(target, {
    onLeave,
    isInside: () => inside.it,
    press: ({ key }: HeldKey) => {
      if (key === "Tab") return false
      pressed.push(key)
      return true
    },
    insert: (text) => pressed.push(`pasted ${text}`),
    taken,
  })
  /** Returns whether the page gets the key. */
  const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
    target.dispatchEvent(
      Object.assign(new Event("keydown", { cancelable: true }), { key, code: "", shiftKey: false, ...more }),
    )
  return { target, pressed, onLeave, inside, hold, press }
}

test("keys pressed during opening wait in order for what opens", async () => {
  const { hold, press, pressed } = open()
  expect(press("j")).toBe(false)
  expect(press("j", { repeat: true })).toBe(false)
  expect(press("Enter")).toBe(false)
  hold.handOver()
  expect(press("k")).toBe(false)
  await expect.poll(() => pressed).toEqual(["j", "Enter", "k"])
  await expect.poll(() => press("Tab")).toBe(true)
  expect(press("n")).toBe(true)
  expect(pressed).toEqual(["j", "Enter", "k"])
})

test("each key is pressed after the previous one was taken", async () => {
  let take = () => {}
  const taken = () => new Promise<void>((resolve) => (take = resolve))
  const { hold, press, pressed } = open(taken)
  press("j")
  press("Enter")
  hold.handOver()
  expect(pressed).toEqual([])
  take()
  await expect.poll(() => pressed).toEqual(["j"])
  expect(press("k")).toBe(false)
  expect(pressed).toEqual(["j"])
  take()
  await expect.poll(() => pressed).toEqual(["j", "Enter"])
})

test("keys after one that cannot be repeated are dropped", async () => {
  const { hold, press, pressed } = open()
  for (const key of ["j", "Tab", "k"]) press(key)
  hold.handOver()
  await expect.poll(() => press("n")).toBe(true)
  expect(pressed).toEqual(["j"])
})

test("keys still held at the end are dropped", async () => {
  let take = () => {}
  const { hold, press, pressed } = open(() => new Promise<void>((resolve) => (take = resolve)))
  press("j")
  hold.handOver()
  hold.end()
  take()
  expect(press("k")).toBe(true)
  expect(pressed).toEqual([])
})

test("pasted text waits among the keys and does not reach the page", async () => {
  const { target, hold, press, pressed } = open()
  const onPage = vi.fn()
  target.addEventListener("paste", onPage)
  const paste = (text: string) => {
    const clipboardData = { getData: () => text }
    return target.dispatchEvent(Object.assign(new Event("paste", { cancelable: true }), { clipboardData }))
  }
  press("j")
  expect(paste("a name")).toBe(false)
  press("Enter")
  // An image is no text: the focused element may handle it.
  expect(paste("")).toBe(true)
  hold.handOver()
  await expect.poll(() => pressed).toEqual(["j", "pasted a name", "Enter"])
  await expect.poll(() => paste("later")).toBe(true)
  expect(onPage).toHaveBeenCalledTimes(2)
})

test("selecting all is held like what is typed", () => {
  const { press } = open()
  expect(press("a", { ctrlKey: true })).toBe(false)
  expect(press("a", { metaKey: true })).toBe(false)
  expect(press("A", { ctrlKey: true, shiftKey: true })).toBe(true)
})

test("Escape or a pointer press cancels and frees the keys", () => {
  for (const leave of [
    ({ press }: ReturnType<typeof open>) => press("Escape"),
    ({ target }: ReturnType<typeof open>) => target.dispatchEvent(new Event("pointerdown")),
  ]) {
    const opening = open()
    opening.press("j")
    leave(opening)
    expect(opening.press("k")).toBe(true)
    expect(opening.onLeave).toHaveBeenCalledOnce()
    expect(opening.pressed).toEqual([])
  }
})

test("pressing inside the drawn part does not end the holding of keys", () => {
  const { target, inside, onLeave, press } = open()
  inside.it = true
  target.dispatchEvent(new Event("pointerdown"))
  expect(onLeave).not.toHaveBeenCalled()
  expect(press("j")).toBe(false)
})

test("keys of the browser and of input methods pass through", async () => {
  const { hold, press, pressed } = open()
  expect(press("k", { ctrlKey: true })).toBe(true)
  expect(press("r", { metaKey: true })).toBe(true)
  expect(press("F5")).toBe(true)
  expect(press("Process", { isComposing: true })).toBe(true)
  // Some input methods send the key before the composition, and the Enter after it, with this code.
  expect(press("k", { keyCode: 229 })).toBe(true)
  expect(press("Enter", { keyCode: 229 })).toBe(true)
  hold.handOver()
  await expect.poll(() => press("n")).toBe(true)
  expect(pressed).toEqual([])
})
