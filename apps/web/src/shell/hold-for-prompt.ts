import { holdKeys } from "../ui/hold-keys.ts"
import { nextFrame } from "../ui/next-frame.ts"
import { insertText, pressKey } from "../ui/press-key.ts"

/** How long keys are held for the page (ms). After that, held keys are dropped and the page gets its keys again. */
const patienceMs = 10_000

export interface PromptHold {
  /** Sends the keys to the prompt field of this page once it has focus. */
  aimAt(href: string): void
  end(): void
}

/** Holds keys for the prompt field of a page that is about to open. */
export function holdForPrompt(): PromptHold {
  let frame = 0
  const stop = () => {
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    hold.end()
  }
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
        if (location.href !== aim || !isPrompt(document.activeElement)) {
          frame = requestAnimationFrame(look)
          return
        }
        clearTimeout(timer)
        hold.handOver()
      }
      look()
    },
    end: stop,
  }
}

function isPrompt(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("[data-composer]")
}
