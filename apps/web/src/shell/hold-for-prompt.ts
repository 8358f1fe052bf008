import { holdKeys } from "../ui/hold-keys.ts"
import { nextFrame } from "../ui/next-frame.ts"
import { insertText, pressKey } from "../ui/press-key.ts"

/** How long keys wait for the page (ms). After that the keys are the page's again, and what was held is dropped. */
const patienceMs = 10_000

export interface PromptHold {
  /** The prompt field of this page gets the keys once it has the focus. */
  aimAt(href: string): void
  end(): void
}

/** Keeps keys for the prompt field of a page that is about to open. */
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
      // No event tells that the address has changed, and the field may have had the focus before.
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
