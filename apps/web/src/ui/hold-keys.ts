/** What is kept of a key that was pressed. */
export type HeldKey = Pick<KeyboardEvent, "key" | "code" | "shiftKey">

/** Keys besides characters that mean something to what opens. Others stay the browser's. */
const named = new Set(["ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "Backspace", "End", "Enter", "Home", "Tab"])

/** Before the page and the dialogs hear of it. */
const first = { capture: true }

export interface KeyHold {
  /** What opens takes keys now: it gets those that were pressed, one by one, and from then on its own. */
  handOver(): void
  end(): void
}

interface Holding {
  /** The person no longer wants what opens: Escape, or a press of the pointer elsewhere. */
  onLeave(): void
  /** Whether that is in what opens, which can be there before it has the focus. */
  isInside(target: EventTarget | null): boolean
  /** Does in what has the focus what the key does. */
  press(key: HeldKey): void
}

/**
 * Keeps the keys that a person presses while something opens that is going to take them, so that neither the page gets
 * them nor they are lost. Keys with Control, Meta or Alt are the browser's and the page's as ever.
 */
export function holdKeys(target: EventTarget, { onLeave, isInside, press }: Holding): KeyHold {
  const held: HeldKey[] = []
  const leave = () => {
    end()
    onLeave()
  }
  const onKeyDown = (given: Event) => {
    // Only keys come by this name.
    const event = given as KeyboardEvent
    if (isOthers(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === "Escape") leave()
    // The key that opened it, when it is held down, is not pressed again.
    else if (!event.repeat) held.push({ key: event.key, code: event.code, shiftKey: event.shiftKey })
  }
  const onPointerDown = (event: Event) => {
    if (!isInside(event.target)) leave()
  }
  target.addEventListener("keydown", onKeyDown, first)
  target.addEventListener("pointerdown", onPointerDown, first)
  const end = () => {
    target.removeEventListener("keydown", onKeyDown, first)
    target.removeEventListener("pointerdown", onPointerDown, first)
    held.length = 0
  }
  // Each in a task of its own: what one changes is drawn before the next is pressed.
  const pressNext = () => {
    const key = held.shift()
    if (key === undefined) return end()
    // What is pressed now is not to be held.
    target.removeEventListener("keydown", onKeyDown, first)
    press(key)
    if (held.length === 0) return end()
    target.addEventListener("keydown", onKeyDown, first)
    setTimeout(pressNext)
  }
  let handedOver = false
  return {
    handOver() {
      if (handedOver) return
      handedOver = true
      setTimeout(pressNext)
    },
    end,
  }
}

function isOthers({ key, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (isComposing || ctrlKey || metaKey || altKey) return true
  return key !== "Escape" && key.length > 1 && !named.has(key)
}
