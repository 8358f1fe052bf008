"use client"

import { type KeyboardEvent, useRef } from "react"
import { type ComposerAction, type ComposerKey, composerAction } from "./composer-keys.ts"

function readPress(event: KeyboardEvent<HTMLTextAreaElement>) {
  const { selectionStart, selectionEnd, value } = event.currentTarget
  const collapsed = selectionStart === selectionEnd
  return {
    key: event.key,
    shift: event.shiftKey,
    modifier: event.ctrlKey || event.metaKey || event.altKey,
    composing: event.nativeEvent.isComposing,
    touch: matchMedia("(pointer: coarse)").matches,
    around: collapsed ? { before: value.slice(0, selectionStart), after: value.slice(selectionEnd) } : null,
  }
}

/** Handles keys in the prompt field: finds the action for a key press and runs it. */
export function useKeyActions(
  act: Record<NonNullable<ComposerAction>, () => unknown>,
  state: () => Pick<ComposerKey, "listOpen" | "choosing" | "browsing" | "busy">,
) {
  const armed = useRef(false)
  return (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const action = composerAction({ ...readPress(event), ...state(), armed: armed.current })
    armed.current = action === "arm"
    if (!action) return
    if (action !== "arm") event.preventDefault()
    void act[action]()
  }
}
