"use client"

import { useEffect, useRef } from "react"
import { tinykeys } from "tinykeys"
import { isTyping } from "./is-typing.ts"
import { useSingleKeys } from "./single-keys.tsx"

export type KeyHandlers = Record<string, (event: KeyboardEvent) => void>

function inDialog(): boolean {
  return document.querySelector("[role=dialog][aria-modal=true], dialog:modal") !== null
}

/** Presses that began in a dialog: it may have closed, and gone, before the keys of the page are asked. */
const begunInDialog = new WeakSet<Event>()

function noteDialog(event: Event): void {
  if (inDialog()) begunInDialog.add(event)
}

const hasModifier = (binding: string) => /\$mod|Alt|Control|Meta/.test(binding)

/**
 * Binds keys (tinykeys syntax) on the window while the component is mounted. A binding without a
 * modifier rests while a person types, in a dialog, and when single keys are switched off.
 */
export function useKeys(handlers: KeyHandlers): void {
  const latest = useRef(handlers)
  latest.current = handlers
  const { enabled } = useSingleKeys()
  const names = Object.keys(handlers).join("\n")
  // Once for all pages, and before any dialog hears of the press: it is never taken away.
  useEffect(() => {
    window.addEventListener("keydown", noteDialog, { capture: true })
  }, [])
  useEffect(() => {
    const bind = (name: string) => {
      const modified = hasModifier(name)
      if (!modified && !enabled) return []
      const handler = (event: KeyboardEvent) => {
        if (event.defaultPrevented) return
        if (!modified && (isTyping(event.target) || begunInDialog.has(event) || inDialog())) return
        latest.current[name]?.(event)
      }
      // Bound together, "g t" would leave "g m" half pressed.
      return [tinykeys(window, { [name]: handler }, { ignore: () => false })]
    }
    const unbind = names.split("\n").filter(Boolean).flatMap(bind)
    return () => {
      for (const one of unbind) one()
    }
  }, [names, enabled])
}
