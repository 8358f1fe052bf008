"use client"

import { Button } from "@mantine/core"
import { useEffect, useId, useRef } from "react"
import { LinkButton } from "../../ui/link-button.tsx"
import { CompletionList, optionID } from "../composer/completion-list.tsx"
import { useAutosize } from "../composer/use-autosize.ts"
import styles from "./comments.module.css"
import type { DraftBox, LocalDraft } from "./draft-box.ts"
import { useMentions } from "./use-mentions.ts"

interface CommentFieldProps {
  draft: LocalDraft
  box: DraftBox
  /** Accessible name of the field. */
  label: string
  /** Names that can be mentioned with `@`. */
  names: readonly string[]
  focused?: boolean
  /** Called after the draft was posted or discarded. */
  onDone?: () => void
}

/** The field for a draft comment. The browser stores every change at once. */
export function CommentField({ draft, box, label, names, focused = false, onDone }: CommentFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const list = useId()
  const { key, text, state } = draft
  const mentions = useMentions(field, { names, write: (next) => box.write(key, next) })
  useAutosize(field, text)
  useEffect(() => {
    if (!focused) return
    field.current?.focus()
    field.current?.scrollIntoView({ block: "nearest" })
  }, [focused])
  const post = () => {
    box.post(key)
    onDone?.()
  }
  return (
    <div className={styles.field}>
      <textarea
        ref={field}
        className={styles.text}
        rows={2}
        aria-label={label}
        data-autofocus={focused || undefined}
        aria-invalid={state.is === "refused"}
        aria-controls={mentions.open ? list : undefined}
        aria-activedescendant={mentions.open ? optionID(list, mentions.active) : undefined}
        aria-autocomplete="list"
        placeholder={label}
        value={text}
        onChange={(event) => {
          box.write(key, event.currentTarget.value)
          mentions.follow(event.currentTarget)
        }}
        onSelect={(event) => mentions.follow(event.currentTarget)}
        onBlur={mentions.close}
        onKeyDown={(event) => {
          if (mentions.onKey(event)) return
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
            event.preventDefault()
            post()
          }
          if (event.key === "Escape") leave(event.currentTarget)
        }}
      />
      {mentions.open ? (
        <CompletionList id={list} suggestions={mentions.suggestions} active={mentions.active} onPick={mentions.pick} />
      ) : null}
      {draft.replaced === null ? null : (
        <p className={styles.note}>
          In another tab you wrote: <q>{draft.replaced}</q>{" "}
          <LinkButton onClick={() => box.takeReplaced(key, true)}>Add it here</LinkButton>{" "}
          <LinkButton onClick={() => box.takeReplaced(key, false)}>Leave it out</LinkButton>
        </p>
      )}
      <div className={styles.fieldFoot}>
        <p role="status" className={styles.state} data-is={state.is}>
          {fieldMessage(draft)}
        </p>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            box.discard(key)
            onDone?.()
          }}
        >
          Discard
        </Button>
        <Button variant="filled" disabled={text.trim() === ""} onClick={post}>
          Post
        </Button>
      </div>
    </div>
  )
}

/** Moves focus to the element around the field, so that the page's keys work again. */
function leave(field: HTMLElement): void {
  field.blur()
  field.closest<HTMLElement>("[tabindex]")?.focus({ preventScroll: true })
}

function fieldMessage({ text, state, posting }: LocalDraft): string {
  if (text === "" && state.is === "kept") return ""
  switch (state.is) {
    case "kept":
      return "Draft · kept"
    case "saving":
      return posting ? "Posting…" : "Draft · saving…"
    case "offline":
      return posting
        ? "No connection. The comment is kept in this browser and posted when you are connected again."
        : "No connection. The draft is kept in this browser."
    case "refused":
      return state.why
  }
}
