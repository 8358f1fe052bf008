"use client"

import { Button, NativeSelect } from "@mantine/core"
import { type KeyboardEvent, useState } from "react"
import { draftComments, type PlanCommentDraft } from "./draft-comments.ts"
import plan from "./plan-card.module.css"
import type { PlanComment } from "./plan-comments.ts"

interface PlanCommentFormProps {
  requestID: string
  /** The selected text of the plan; null for none. */
  selected: string | null
  /** The texts of the plan's steps. */
  steps: readonly string[]
  onAdd(comment: PlanComment): void
  onClose(): void
}

/** Values of `about`: the whole plan, and the selected text. Any other value is the index of a step. */
const whole = "whole"
const chosen = "chosen"

/**
 * The form for a comment on the selected text, a step or the whole plan. Without a selection, the user chooses the
 * subject.
 */
export function PlanCommentForm({ requestID, selected: initial, steps, onAdd, onClose: onEnd }: PlanCommentFormProps) {
  const [draft, setDraft] = useState<PlanCommentDraft>(
    () => draftComments.read(requestID) ?? { selected: initial, about: initial === null ? whole : chosen, text: "" },
  )
  const { selected, about, text } = draft
  const change = (next: Partial<PlanCommentDraft>) => {
    setDraft({ ...draft, ...next })
    draftComments.write(requestID, { ...draft, ...next })
  }
  const onClose = () => {
    draftComments.write(requestID, null)
    onEnd()
  }
  const add = () => {
    if (text.trim() === "") return
    const quote = about === whole ? null : about === chosen ? selected : (steps[Number(about)] ?? null)
    onAdd({ quote, text: text.trim() })
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === "Escape") {
      // Esc must not discard typed text.
      if (text.trim() === "") onClose()
      else event.currentTarget.blur()
      event.stopPropagation()
    }
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault()
      add()
    }
  }
  return (
    <div className={plan.form}>
      <NativeSelect
        aria-label="What the comment is about"
        value={about}
        onChange={(event) => change({ about: event.currentTarget.value })}
        data={[
          ...(selected === null ? [] : [{ value: chosen, label: `“${short(selected)}”` }]),
          { value: whole, label: "The whole plan" },
          ...steps.map((step, index) => ({ value: String(index), label: `${index + 1}. ${short(step)}` })),
        ]}
      />
      <textarea
        className={plan.words}
        aria-label="What is to change"
        placeholder="What is to change"
        rows={2}
        value={text}
        // biome-ignore lint/a11y/noAutofocus: opened by a press on Comment
        autoFocus
        onChange={(event) => change({ text: event.currentTarget.value })}
        onKeyDown={onKeyDown}
      />
      <div className={plan.formActions}>
        <Button variant="filled" disabled={text.trim() === ""} onClick={add}>
          Add the comment
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Back
        </Button>
      </div>
    </div>
  )
}

/** Shortens a text to the width of a menu line (UTF-16 units). */
function short(words: string): string {
  const line = words.replace(/\s+/g, " ")
  return line.length <= 60 ? line : `${line.slice(0, 59).toWellFormed()}…`
}
