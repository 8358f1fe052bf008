"use client"

import { Button } from "@mantine/core"
import { useState } from "react"
import { plainText } from "../../ui/plain-text.ts"
import styles from "./share-dialog.module.css"
import type { TreeLine } from "./tree-lines.ts"

interface TreeChoiceProps {
  lines: readonly TreeLine[]
  onToggle(id: string, isShown: boolean): void
  /** Includes all sessions, or only the first one. */
  onToggleAll(isShown: boolean): void
}

/** Longer lists are closed at first. */
const openUpTo = 12
/** Number of lines that are shown at first. */
const linesAtOnce = 50

/** The sessions of a tree with a checkbox each. An unchecked session is left out with its descendants. */
export function TreeChoice({ lines, onToggle, onToggleAll }: TreeChoiceProps) {
  const [isOpen, setOpen] = useState(lines.length <= openUpTo)
  const [shownCount, setShownCount] = useState(linesAtOnce)
  const shared = lines.filter(({ isShown }) => isShown).length
  if (lines.length < 2) return null
  return (
    <details className={styles.part} open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Sessions: {shared === lines.length ? `all ${shared}` : `${shared} of ${lines.length}`}</summary>
      {isOpen && lines.length > openUpTo ? (
        <div className={styles.actions}>
          <Button variant="subtle" onClick={() => onToggleAll(true)}>
            Check all
          </Button>
          <Button variant="subtle" onClick={() => onToggleAll(false)}>
            Only the first
          </Button>
        </div>
      ) : null}
      {isOpen ? (
        <ul className={styles.tree} aria-label="Sessions that are shared">
          {lines.slice(0, shownCount).map((line) => (
            <TreeChoiceLine key={line.id} line={line} onToggle={onToggle} />
          ))}
          {lines.length > shownCount ? (
            <li>
              <Button variant="subtle" onClick={() => setShownCount(shownCount + linesAtOnce)}>
                {lines.length - shownCount} more
              </Button>
            </li>
          ) : null}
        </ul>
      ) : null}
    </details>
  )
}

function TreeChoiceLine({ line, onToggle }: Pick<TreeChoiceProps, "onToggle"> & { line: TreeLine }) {
  const { id, title, agent, parts, depth, isShown, isBelowLeft } = line
  return (
    <li style={{ paddingLeft: `calc(${Math.min(depth, 6)} * var(--dk-3))` }}>
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
  )
}
