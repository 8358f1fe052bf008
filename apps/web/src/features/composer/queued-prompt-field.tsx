"use client"

import { Button } from "@mantine/core"
import type { MouseEvent } from "react"
import styles from "./queued-prompts.module.css"

interface QueuedPromptFieldProps {
  text: string
  onChange(text: string): void
  /** Called when the editing ends, with the text to keep; null to leave the prompt as it was. */
  onLeave(text: string | null): void
}

/** A press on a button must not take the focus from the field: that would save it. */
const keepsFocus = { onMouseDown: (event: MouseEvent) => event.preventDefault() }

/** The field in which a queued prompt is edited. To go on elsewhere saves it. */
export function QueuedPromptField({ text, onChange, onLeave }: QueuedPromptFieldProps) {
  return (
    <form
      className={styles.edited}
      onSubmit={(event) => {
        event.preventDefault()
        onLeave(text)
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) onLeave(text)
      }}
    >
      <textarea
        className={styles.field}
        aria-label="Queued prompt"
        rows={Math.min(6, text.split("\n").length)}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: the person has just asked to edit it
        autoFocus
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onLeave(null)
          if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
          event.preventDefault()
          onLeave(text)
        }}
      />
      <Button variant="subtle" color="gray" aria-keyshortcuts="Escape" {...keepsFocus} onClick={() => onLeave(null)}>
        Cancel
      </Button>
      <Button type="submit" variant="filled" aria-keyshortcuts="Enter" {...keepsFocus}>
        Save
      </Button>
    </form>
  )
}
