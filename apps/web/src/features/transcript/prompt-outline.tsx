"use client"

import { type OutlineEntry, promptAt } from "./outline.ts"
import styles from "./transcript.module.css"

interface PromptOutlineProps {
  outline: readonly OutlineEntry[]
  /** Index of the row that is being read. */
  at: number
  onGo(index: number): void
}

/** A transcript of fewer prompts needs no outline. */
const worthShowing = 3

/** The prompts of a long transcript at its side: marks, which name themselves to a pointer and the keyboard. */
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
