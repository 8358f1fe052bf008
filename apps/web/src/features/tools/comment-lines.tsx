"use client"

import { Button } from "@mantine/core"
import { useState } from "react"
import { LinkButton } from "../../ui/link-button.tsx"
import styles from "./comment-lines.module.css"
import { parseUnifiedDiff } from "./parse-unified-diff.ts"

/** Lines on one side of a diff, including `from` and `to`. */
export interface ChosenLines {
  side: "old" | "new"
  from: number
  to: number
}

/** Starts a comment on lines of a diff without a pointer: the user enters the line numbers. */
export function CommentLines({ patch, onComment }: { patch: string; onComment: (lines: ChosenLines) => void }) {
  const [open, setOpen] = useState(false)
  return (
    <div className={styles.place}>
      <LinkButton aria-expanded={open} onClick={() => setOpen(!open)}>
        Comment on lines…
      </LinkButton>
      {open ? (
        <LinesForm
          first={firstChanged(patch)}
          onComment={(lines) => {
            setOpen(false)
            onComment(lines)
          }}
        />
      ) : null}
    </div>
  )
}

function LinesForm({ first, onComment }: { first: ChosenLines; onComment: (lines: ChosenLines) => void }) {
  const [lines, setLines] = useState(first)
  const { side, from, to } = lines
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onComment({ side, from: Math.min(from, to), to: Math.max(from, to) })
      }}
    >
      <label>
        From line
        <input
          type="number"
          min={1}
          required
          value={from}
          onChange={(event) => setLines({ ...lines, from: event.currentTarget.valueAsNumber || 1 })}
        />
      </label>
      <label>
        to
        <input
          type="number"
          min={1}
          required
          value={to}
          onChange={(event) => setLines({ ...lines, to: event.currentTarget.valueAsNumber || 1 })}
        />
      </label>
      <label>
        as it
        <select
          value={side}
          onChange={(event) => setLines({ ...lines, side: event.currentTarget.value === "old" ? "old" : "new" })}
        >
          <option value="new">is now</option>
          <option value="old">was before</option>
        </select>
      </label>
      <Button type="submit">Comment</Button>
    </form>
  )
}

/** The first line that a diff changes. */
function firstChanged(patch: string): ChosenLines {
  const line = parseUnifiedDiff(patch).find(({ kind }) => kind === "add" || kind === "remove")
  const at = line?.after ?? line?.before ?? 1
  return { side: line?.kind === "remove" ? "old" : "new", from: at, to: at }
}
