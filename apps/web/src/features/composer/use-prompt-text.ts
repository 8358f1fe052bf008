"use client"

import { useEffect, useRef, useState } from "react"
import { useDrafts } from "./drafts.tsx"
import type { Mention } from "./mention.ts"

/** The text being written, with the mentions that were picked in it. It survives a visit to another page. */
export function usePromptText(draftKey: string) {
  const drafts = useDrafts()
  const [text, setText] = useState(() => drafts.get(draftKey)?.text ?? "")
  const picked = useRef<Mention[]>(drafts.get(draftKey)?.picked ?? [])
  const field = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number | null>(null)

  useEffect(() => {
    if (text === "") drafts.delete(draftKey)
    else drafts.set(draftKey, { text, picked: picked.current })
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [drafts, draftKey, text])

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
