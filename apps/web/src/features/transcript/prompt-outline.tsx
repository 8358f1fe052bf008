"use client"

import { type OutlineEntry, promptAt } from "./outline.ts"
import styles from "./transcript.module.css"

interface PromptOutlineProps {
  outline: readonly OutlineEntry[]
  /** Index of the row at the reading position. */
  at: number
  onGo(index: number): void
}

/** A transcript with fewer prompts shows no outline. */
const worthShowing = 3

/** Marks at the side of a long transcript, one for each prompt. Hover or keyboard focus shows the prompt's words. */
export function PromptOutline({ outline, at, onGo }: PromptOutlineProps) {
  if (outline.length < worthShowing) return null
  const current = promptAt(outline, at) ?? outline[0]
  return (
    <nav className={styles.outline} aria-label="Prompts">
      {outline.map((entry) => (
        <button
          key={entry.key}
          type="button"
          className={styles.outlineEntry}
          aria-current={entry === current ? "location" : undefined}
          onClick={() => onGo(entry.index)}
        >
          <span className={styles.outlineWords}>{entry.words}</span>
        </button>
      ))}
    </nav>
  )
}
