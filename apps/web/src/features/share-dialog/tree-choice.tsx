"use client"

import { plainText } from "../../ui/plain-text.ts"
import styles from "./share-dialog.module.css"
import type { TreeLine } from "./tree-lines.ts"

interface TreeChoiceProps {
  lines: readonly TreeLine[]
  onToggle(id: string, isShown: boolean): void
}

/** More lines than these are folded away at first. */
const openUpTo = 12

/** The sessions of a tree, each with a check: what is not checked is left out, with everything below it. */
export function TreeChoice({ lines, onToggle }: TreeChoiceProps) {
  const shown = lines.filter(({ isShown }) => isShown).length
  if (lines.length < 2) return null
  return (
    <details className={styles.part} open={lines.length <= openUpTo}>
      <summary>Sessions: {shown === lines.length ? `all ${shown}` : `${shown} of ${lines.length}`}</summary>
      <ul className={styles.tree} aria-label="Sessions that are shared">
        {lines.map(({ id, title, agent, parts, depth, isShown, isBelowLeft }) => (
          <li key={id} style={{ paddingLeft: `calc(${Math.min(depth, 6)} * var(--dk-3))` }}>
            <label className={styles.check}>
              <input
                type="checkbox"
                checked={isShown}
                disabled={depth === 0 || isBelowLeft}
                onChange={(event) => onToggle(id, event.currentTarget.checked)}
              />
              <span className={styles.name}>{plainText(title) || "Untitled session"}</span>
              <span className={styles.meta}>
                @{agent} · {parts} parts
              </span>
            </label>
          </li>
        ))}
      </ul>
    </details>
  )
}
