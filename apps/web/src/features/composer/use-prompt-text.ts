"use client"

import { useEffect, useRef, useState } from "react"
import { useDrafts } from "./drafts.tsx"
import type { Mention } from "./mention.ts"

/** The text being written, with the mentions that were picked in it. It survives a visit to another session. */
export function usePromptText(sessionID: string) {
  const drafts = useDrafts()
  const [text, setText] = useState(() => drafts.get(sessionID)?.text ?? "")
  const picked = useRef<Mention[]>(drafts.get(sessionID)?.picked ?? [])
  const field = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number | null>(null)

  useEffect(() => {
    if (text === "") drafts.delete(sessionID)
    else drafts.set(sessionID, { text, picked: picked.current })
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [drafts, sessionID, text])

  return {
    text,
    field,
    picked,
    /** Replaces the text; `at` is where the caret goes, by default where the browser leaves it. */
    write(next: string, at?: number) {
      if (at !== undefined) caret.current = at
      setText(next)
    },
    clear() {
      picked.current = []
      setText("")
    },
  }
}
