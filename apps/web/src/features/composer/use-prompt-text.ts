"use client"

import { useEffect, useRef, useState } from "react"
import { type RestoredPrompt, withRestored } from "../undo/restored-prompt.ts"
import { type CachedDrafts, createCachedDrafts } from "./cached-drafts.ts"
import { useDrafts } from "./drafts.tsx"
import type { Mention } from "./mention.ts"

/** A prompt to restore into the field once. */
export interface Restoring {
  restored: RestoredPrompt | null
  onRestored(): void
}

let cache: CachedDrafts | null = null

/** The drafts in the tab's storage, opened at the first use: only a browser has it. */
function openCache(): CachedDrafts {
  cache ??= createCachedDrafts(window.sessionStorage)
  return cache
}

/** The prompt's text and the mentions picked in it. They survive navigation and a reload. */
export function usePromptText(draftKey: string, restoring: Restoring | undefined) {
  const drafts = useDrafts()
  const [text, setText] = useState(() => drafts.get(draftKey)?.text ?? "")
  const picked = useRef<Mention[]>(drafts.get(draftKey)?.picked ?? [])
  const field = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number | null>(null)

  // Read in an effect: the server has no tab storage, and the first render must match its output.
  useEffect(() => {
    const draft = drafts.has(draftKey) ? null : openCache().read(draftKey)
    if (draft === null) return
    setText((current) => (current === "" ? draft.text : current))
    picked.current.push(...draft.picked)
  }, [drafts, draftKey])

  useEffect(() => {
    openCache().write(draftKey, { text, picked: picked.current })
    const attachments = drafts.get(draftKey)?.attachments ?? []
    if (text === "" && attachments.length === 0) drafts.delete(draftKey)
    else drafts.set(draftKey, { text, picked: picked.current, attachments })
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current)
    caret.current = null
  }, [drafts, draftKey, text])

  const restored = restoring?.restored ?? null
  const done = restoring?.onRestored
  useEffect(() => {
    if (restored === null) return
    setText((current) => withRestored(current, restored))
    picked.current.push(...restored.files.map((value): Mention => ({ kind: "file", value })))
    field.current?.focus()
    done?.()
  }, [restored, done])

  return {
    text,
    field,
    picked,
    /** Replaces the text. `at`: the new caret position; without it the browser decides. */
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
