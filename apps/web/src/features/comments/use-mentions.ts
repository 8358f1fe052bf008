"use client"

import { type KeyboardEvent, type RefObject, useState } from "react"
import { insertMention, type MentionQuery, mentionAt } from "../composer/mention.ts"
import type { Suggestion } from "../composer/use-completion.ts"

/** Maximum number of suggestions. */
const limit = 6

interface MentionOptions {
  names: readonly string[]
  write(text: string): void
}

/** Suggests names after an `@` in a field. */
export function useMentions(field: RefObject<HTMLTextAreaElement | null>, { names, write }: MentionOptions) {
  const [query, setQuery] = useState<MentionQuery | null>(null)
  const [chosenIndex, setChosenIndex] = useState(0)
  const suggestions = query === null ? [] : matching(names, query.text)
  const active = Math.min(chosenIndex, Math.max(0, suggestions.length - 1))
  const open = suggestions.length > 0
  const pick = ({ value }: Pick<Suggestion, "value">) => {
    const element = field.current
    if (element === null || query === null) return
    const next = insertMention(element.value, query, element.selectionStart, value)
    write(next.text)
    setQuery(null)
    requestAnimationFrame(() => element.setSelectionRange(next.caret, next.caret))
  }
  return {
    open,
    active,
    suggestions,
    pick,
    close: () => setQuery(null),
    /** Must be called after every change of the text or the caret. */
    follow({ value, selectionStart }: HTMLTextAreaElement) {
      const next = mentionAt(value, selectionStart)
      if (next?.text !== query?.text) setChosenIndex(0)
      setQuery(next)
    },
    /** Returns whether the suggestion list handled the key. */
    onKey(event: KeyboardEvent): boolean {
      if (!open || event.nativeEvent.isComposing) return false
      const chosen = suggestions[active]
      if (event.key === "ArrowDown") setChosenIndex((active + 1) % suggestions.length)
      else if (event.key === "ArrowUp") setChosenIndex((active + suggestions.length - 1) % suggestions.length)
      else if (event.key === "Escape") setQuery(null)
      else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) pick(chosen)
      else return false
      event.preventDefault()
      event.stopPropagation()
      return true
    },
  }
}

function matching(names: readonly string[], typed: string): Suggestion[] {
  const needle = typed.toLowerCase()
  return names
    .filter((name) => name.toLowerCase().startsWith(needle) && name.toLowerCase() !== needle)
    .slice(0, limit)
    .map((value) => ({ kind: "agent", value, hint: "" }))
}
