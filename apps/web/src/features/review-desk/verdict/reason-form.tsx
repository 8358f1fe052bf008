"use client"

import type { VerdictKind } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { type KeyboardEvent, useId, useState } from "react"
import { VerdictGlyph } from "../../review/verdict-glyph.tsx"
import { reviewStatusOf, verdictLabel } from "../../review/verdict-labels.ts"
import styles from "./verdict-bar.module.css"

interface ReasonFormProps {
  verdict: VerdictKind
  number: number
  /** Initial text of the field. */
  initialReason: string
  onGive(reason: string): void
  onClose(): void
}

/** The form for the reason of a verdict, which the delegating agent also reads. The reason is optional. */
export function ReasonForm({ verdict, number, initialReason, onGive, onClose }: ReasonFormProps) {
  const [reason, setReason] = useState(initialReason)
  const help = useId()
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation()
      onClose()
    }
    const submits = event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing
    if (!submits) return
    event.preventDefault()
    onGive(reason.trim())
  }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        onGive(reason.trim())
      }}
    >
      <textarea
        className={styles.reason}
        aria-label={`Why task ${number}: ${verdictLabel[verdict].toLowerCase()}`}
        aria-describedby={help}
        placeholder={placeholders[verdict]}
        rows={2}
        value={reason}
        // biome-ignore lint/a11y/noAutofocus: the user opened it to write
        autoFocus
        onChange={(event) => setReason(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.formFoot}>
        <span id={help} className={styles.hint}>
          The agent that delegated is told. Enter gives the verdict, also without a reason.
        </span>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" variant="filled" leftSection={<VerdictGlyph status={reviewStatusOf[verdict]} label="" />}>
          {verdictLabel[verdict]}
        </Button>
      </div>
    </form>
  )
}

const placeholders: Record<VerdictKind, string> = {
  approve: "What is good about it (optional)",
  needs_changes: "What has to change (optional)",
  reject: "Why it is not wanted (optional)",
}
