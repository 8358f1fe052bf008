import { useEffect, useRef } from "react"
import { holdKeys, type KeyHold } from "./hold-keys.ts"
import { nextFrame } from "./next-frame.ts"
import { insertText, pressKey } from "./press-key.ts"

/**
 * Holds keys from the mount of the opening component until they are handed over or it unmounts. `onLeave` runs when the
 * user cancels. Returns the function that hands the keys over.
 */
export function useHeldKeys(onLeave: () => void): () => void {
  const latest = useRef(onLeave)
  latest.current = onLeave
  const hold = useRef<KeyHold>(null)
  useEffect(() => {
    const own = holdKeys(window, {
      onLeave: () => latest.current(),
      isInside: isInDialog,
      press: pressKey,
      insert: insertText,
      taken: nextFrame,
    })
    hold.current = own
    return () => own.end()
  }, [])
  return () => hold.current?.handOver()
}

function isInDialog(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("[role=dialog]") !== null
}
