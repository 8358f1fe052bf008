"use client"

import { useEffect, useRef, useState } from "react"
import { type RestoredPrompt, withRestored } from "../undo/restored-prompt.ts"
import { type CachedDrafts, createCachedDrafts } from "./cached-drafts.ts"
import { useDrafts } from "./drafts.tsx"
import type { Mention } from "./mention.ts"

/** A prompt that goes back into the field, once. */
export interface Restoring {
  restored: RestoredPrompt | null
  onRestored(): void
}

let kept: CachedDrafts | null = null

function openKept(): CachedDrafts {
  kept ??= createCachedDrafts(window.sessionStorage)
  return kept
}

/**
 * The text being written, with the mentions that were picked in it. It survives a visit to another page, and a reload.
 */
export function usePromptText(draftKey: string, restoring: Restoring | undefined) {
  const drafts = useDrafts()
  const [text, setText] = useState(() => drafts.get(draftKey)?.text ?? "")
  const picked = useRef<Mention[]>(drafts.get(draftKey)?.picked ?? [])
  const field = useRef<HTMLTextAreaElement>(null)
  const caret = useRef<number | null>(null)

  // Not while the page is rendered: the server knows nothing of it.
  useEffect(() => {
    const draft = drafts.has(draftKey) ? null : openKept().read(draftKey)
    if (draft === null) return
    setText((current) => (current === "" ? draft.text : current))
    picked.current.push(...draft.picked)
  }, [drafts, draftKey])

  useEffect(() => {
    openKept().write(draftKey, { text, picked: picked.current })
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
