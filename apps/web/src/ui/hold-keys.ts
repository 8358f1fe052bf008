/** The stored fields of a key press. */
export type HeldKey = Pick<KeyboardEvent, "key" | "code" | "shiftKey" | "ctrlKey" | "metaKey">

/** Keys, besides characters, that the opening element handles. Other keys stay with the browser. */
const heldNames = new Set([
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

/** Runs before the listeners of the page and the dialogs. */
const first = { capture: true }

export interface KeyHold {
  /** The element is ready for keys: it gets the held keys one by one, and later keys directly. */
  handOver(): void
  /** Drops the keys that are still held. */
  end(): void
}

interface Holding {
  /** The user cancels the opening, by Escape or by a pointer press elsewhere. */
  onLeave(): void
  /** Whether the target is inside the opening element, which may exist before it has focus. */
  isInside(target: EventTarget | null): boolean
  /**
   * Performs the key's action in the focused element. False when that is impossible: the remaining keys would go to the
   * wrong place.
   */
  press(key: HeldKey): boolean
  /** Inserts pasted text into the focused element. */
  insert(text: string): void
  /** Resolves once the change of the last key is on screen. */
  taken(): Promise<void>
}

/**
 * Holds the keys that a user presses while an element is opening, so that the page does not get them and they are not
 * lost. Keys with Control, Meta or Alt pass through, except for "select all" and pasting text.
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
    // The listener is registered only for keyboard events.
    const event = given as KeyboardEvent
    if (isLeftToBrowser(event)) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (event.key === "Escape") leave()
    // Ignores the repeats of a key that is held down, such as the one that opened the element.
    else if (!event.repeat) held.push(keyOf(event))
  }
  const onPaste = (given: Event) => {
    // The listener is registered only for clipboard events.
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
      // The replayed key must not be held again.
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

/** Key code of keys that an input method handles; some send it also just before or after a composition. */
const composingCode = 229

/** Whether the browser or an input method gets the key. A key with one character is typed, and so it is held. */
function isLeftToBrowser({ key, keyCode, shiftKey, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean {
  if (isComposing || keyCode === composingCode || altKey) return true
  if (ctrlKey || metaKey) return shiftKey || key.toLowerCase() !== "a"
  return key !== "Escape" && key.length > 1 && !heldNames.has(key)
}
