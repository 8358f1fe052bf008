import { holdKeys } from "../ui/hold-keys.ts"
import { isTyping } from "../ui/is-typing.ts"
import { nextFrame } from "../ui/next-frame.ts"
import { insertText, pressKey } from "../ui/press-key.ts"

/** How long keys are held for the page (ms). After that, held keys are dropped and the page gets its keys again. */
const patienceMs = 10_000

export interface PromptHold {
  /** Gives focus to the prompt field of this page, unless the user types elsewhere, and sends it the keys. */
  aimAt(href: string): void
  end(): void
}

/** Holds keys for the prompt field of a page that is about to open. */
export function holdForPrompt(): PromptHold {
  let frame = 0
  const stop = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    window.removeEventListener("focusin", onFocus)
    hold.end()
  }
  // Focus can also move without a key or a pointer: by a screen reader, by voice.
  const onFocus = ({ target }: FocusEvent) => {
    if (isTyping(target) && !isPrompt(target)) stop()
  }
  window.addEventListener("focusin", onFocus)
  const hold = holdKeys(window, {
    onLeave: stop,
    isInside: isPrompt,
    press: pressKey,
    insert: insertText,
    taken: nextFrame,
  })
  const timer = setTimeout(stop, patienceMs)
  return {
    aimAt(href) {
      const aim = new URL(href, location.href).href
      // No event reports the address change, and the field may already have had focus.
      const look = () => {
        if (location.href !== aim || !focusPrompt()) {
          frame = requestAnimationFrame(look)
          return
        }
        clearTimeout(timer)
        window.removeEventListener("focusin", onFocus)
        hold.handOver()
      }
      look()
    },
    end: stop,
  }
}

/** Whether the prompt field has focus now. */
function focusPrompt(): boolean {
  if (!isTyping(document.activeElement))
    document.querySelector<HTMLTextAreaElement>("[data-composer]")?.focus({ preventScroll: true })
  return isPrompt(document.activeElement)
}

/**
 * Whether a page that opens may give focus to its prompt field. On a touch screen that opens the keyboard, unless it is
 * open already.
 */
export function maySeekPrompt(): boolean {
  return !matchMedia("(pointer: coarse)").matches || isPrompt(document.activeElement)
}

function isPrompt(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("[data-composer]")
}
