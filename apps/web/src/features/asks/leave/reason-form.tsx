"use client"

import { Button, TextInput } from "@mantine/core"
import styles from "../ask-card.module.css"

interface ReasonFormProps {
  reason: string
  pending: boolean
  onChange: (reason: string) => void
  onCancel: () => void
  onSend: () => void
}

/** The form for the reason of a rejection. */
export function ReasonForm(props: ReasonFormProps) {
  return (
    <>
      <TextInput
        className={styles.reason ?? ""}
        autoFocus
        aria-label="Why not, and what to do instead"
        placeholder="What to do instead"
        value={props.reason}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && props.reason.trim() !== "") props.onSend()
          if (event.key !== "Escape") return
          // Esc must not discard typed text.
          if (props.reason.trim() === "") props.onCancel()
          else event.currentTarget.blur()
          event.stopPropagation()
        }}
      />
      <Button variant="filled" disabled={props.pending || props.reason.trim() === ""} onClick={props.onSend}>
        Reject
      </Button>
      <Button variant="subtle" color="gray" onClick={props.onCancel}>
        Back
      </Button>
    </>
  )
}
