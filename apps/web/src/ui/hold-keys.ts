/** What is kept of a key that was pressed. */
export type HeldKey = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey">

/** Keys besides characters that mean something to what opens. Others stay the browser's. */
const named = new Set([
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "ArrowUp",
  "Backspace",
  "Delete",
  "End",
  "Enter",
  "Home",
  "Tab",
])

/** Before the page and the dialogs hear of it. */
const first = { capture: true }

export interface KeyHold {
  /** What opens takes keys now: it gets those that were pressed, one by one, and from then on its own. */
  handOver(): void
  /** What is still held is dropped. */
  end(): void
}

interface Holding {
  /** The person no longer wants what opens: Escape, or a press of the pointer elsewhere. */
  onLeave(): void
  /** Whether that is in what opens, which can be there before it has the focus. */
  isInside(target: EventTarget | null): boolean
  /** Does in what has the focus what the key does. False when it cannot: what follows would go to the wrong place. */
  press(key: HeldKey): boolean
  /** Puts pasted text into what has the focus. */
  insert(text: string): void
  /** Resolves once what the last key changed is on screen. */
  taken(): Promise<void>
}

/**
 * Keeps the keys that a person presses while something opens that is going to take them, so that neither the page gets
 * them nor they are lost. Keys with Control, Meta or Alt are the browser's and the page's as ever, except to select all and
 * to paste text.
 */
export function holdKeys(target: EventTarget, { onLeave, isInside, press, insert, taken }: Holding): KeyHold {
  const held: (HeldKey | string)[] = []
  let handedOver = false
  let ended = false
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
    else if (!event.repeat) held.push(keyOf(event))
  }
  const onPaste = (given: Event) => {
    // Only what the clipboard holds comes by this name.
    const text = (given as ClipboardEvent).clipboardData?.getData("text/plain") ?? ""
    if (text === "") return
    given.preventDefault()
    given.stopImmediatePropagation()
    held.push(text)
  }
  const onPointerDown = (event: Event) => {
    if (!isInside(event.target)) leave()
  }
  target.addEventListener("keydown", onKeyDown, first)
  target.addEventListener("paste", onPaste, first)
  target.addEventListener("pointerdown", onPointerDown, first)
  const end = () => {
    target.removeEventListener("keydown", onKeyDown, first)
    target.removeEventListener("paste", onPaste, first)
    target.removeEventListener("pointerdown", onPointerDown, first)
    ended = true
  }
  const pressAll = async () => {
    for (;;) {
      await taken()
      if (ended) return
      const next = held.shift()
      if (next === undefined) return end()
      if (typeof next === "string") {
        insert(next)
        continue
      }
      // What is pressed now is not to be held.
      target.removeEventListener("keydown", onKeyDown, first)
      if (!press(next)) return end()
      if (!ended) target.addEventListener("keydown", onKeyDown, first)
    }
  }
  return {
    handOver() {
      if (handedOver) return
      handedOver = true
      void pressAll()
    },
    end,
  }
}

function keyOf({ key, code, shiftKey, ctrlKey, metaKey }: KeyboardEvent): HeldKey {
  return { key, code, shiftKey, ctrlKey, metaKey }
}

/** What a key says that a method of input takes: with some of them before they begin to compose, or after they ended. */
const composingCode = 229

function isOthers({ key, keyCode, shiftKey, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (isComposing || keyCode === composingCode || altKey) return true
  if (ctrlKey || metaKey) return shiftKey || key.toLowerCase() !== "a"
  return key !== "Escape" && key.length > 1 && !named.has(key)
}
