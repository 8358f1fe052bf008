"use client"

import { useEffect, useRef } from "react"
import { tinykeys } from "tinykeys"
import { isTyping } from "../../ui/is-typing.ts"
import { useSingleKeys } from "./single-keys.tsx"

export type KeyHandlers = Record<string, (event: KeyboardEvent) => void>

function inDialog(): boolean {
  return document.querySelector("[role=dialog][aria-modal=true], dialog:modal") !== null
}

/** Key events that began in a dialog. The dialog may be gone when the page's shortcuts receive the event. */
const begunInDialog = new WeakSet<Event>()

function noteDialog(event: Event): void {
  if (inDialog()) begunInDialog.add(event)
}

/** Whether a text field or a dialog gets the key, and not the page. */
function isTaken(event: KeyboardEvent): boolean {
  return isTyping(event.target) || begunInDialog.has(event) || inDialog()
}

const hasModifier = (binding: string) => /\$mod|Alt|Control|Meta/.test(binding)

/**
 * Binds keys (tinykeys syntax) on the window while the component is mounted. A binding without a modifier is off while
 * the user types, in a dialog, and when single keys are switched off.
 */
export function useKeys(handlers: KeyHandlers): void {
  const latest = useRef(handlers)
  latest.current = handlers
  const { enabled } = useSingleKeys()
  const names = Object.keys(handlers).join("\n")
  // Every use adds the same listener, which the browser keeps only once. It is never removed, so it stays the first one
  // and runs before a dialog handles the key.
  useEffect(() => {
    window.addEventListener("keydown", noteDialog, { capture: true })
  }, [])
  useEffect(() => {
    const bind = (name: string) => {
      const modified = hasModifier(name)
      if (!modified && !enabled) return []
      const handler = (event: KeyboardEvent) => {
        if (event.defaultPrevented) return
        if (!modified && isTaken(event)) return
        latest.current[name]?.(event)
      }
      // Each binding is separate: in one map, "g t" would leave "g m" half pressed.
      return [tinykeys(window, { [name]: handler }, { ignore: () => false })]
    }
    const unbind = names.split("\n").filter(Boolean).flatMap(bind)
    return () => {
      for (const one of unbind) one()
    }
  }, [names, enabled])
}
