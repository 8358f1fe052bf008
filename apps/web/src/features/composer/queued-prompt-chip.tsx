"use client"

import { useTRPC } from "@docket/client/react"
import type { Turn } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { ArrowUp, Clock, Forward, Pencil, X } from "lucide-react"
import { useEffect, useRef, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useMe } from "../../shell/me.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { IconButton } from "../../ui/icon-button.tsx"
import { usePeople } from "../../ui/use-people.ts"
import { PromptAuthor } from "./prompt-author.tsx"
import { editableText, editedParts, queuedText } from "./queued-prompt.ts"
import { QueuedPromptField } from "./queued-prompt-field.tsx"
import styles from "./queued-prompts.module.css"

interface QueuedPromptChipProps {
  turn: Turn
  /** The prompt before it in the queue; null for the first. */
  earlier: Turn | null
  /** Called when this user withdrew it. */
  onWithdraw?: ((turn: Turn) => void) | undefined
}

/** A queued prompt, with what a person may do about it. */
export function QueuedPromptChip({ turn, earlier, onWithdraw }: QueuedPromptChipProps) {
  const trpc = useTRPC()
  const { can } = useMe()
  const { me } = usePeople()
  const announce = useAnnounce()
  const withdraw = useMutation(trpc.session.withdraw.mutationOptions({ onError: showProblem }))
  const change = useMutation(
    trpc.session.changePrompt.mutationOptions({
      onError: (error) => {
        showProblem(error)
        giveBack(sent.current)
      },
      onSuccess({ changed }) {
        if (changed) return
        announce("The agent has this prompt already")
        giveBack(sent.current)
      },
    }),
  )
  /** The text of the change that is on its way. */
  const sent = useRef<string | null>(null)
  /** What was written in vain goes back to the prompt field. */
  const giveBack = (written: string | null) => {
    if (written !== null) onWithdraw?.({ ...turn, input: { ...turn.input, parts: editedParts(turn, written) } })
  }
  const [text, setText] = useState<string | null>(null)
  const editable = editableText(turn)
  const isSteered = turn.input.steer === true
  const { id: turnID } = turn
  const isEditing = useRef(false)
  /** The text as it was when the editing began. */
  const before = useRef<string | null>(null)
  // The chip goes away when the agent gets its prompt, also while somebody edits it.
  const onGone = useRef(() => {})
  onGone.current = () => {
    if (isEditing.current && text !== before.current) giveBack(text)
  }
  useEffect(() => () => onGone.current(), [])
  const edit = () => {
    isEditing.current = true
    before.current = editable
    setText(editable)
  }
  /** Ends the editing once: the field that goes away loses its focus too. */
  const leave = (edited: string | null) => {
    if (!isEditing.current) return
    isEditing.current = false
    setText(null)
    if (edited === null || edited.trim() === "" || edited === before.current) return
    // Somebody else's text is not written over.
    if (editable !== before.current) {
      announce("This prompt was changed elsewhere. Your text is in the prompt field")
      giveBack(edited)
      return
    }
    sent.current = edited
    change.mutate(
      { turnID, parts: editedParts(turn, edited) },
      {
        onSettled: () => {
          sent.current = null
        },
      },
    )
  }
  return (
    <li className={styles.chip}>
      {isSteered ? (
        <Forward size={12} role="img" aria-label="Read at the next step" />
      ) : (
        <Clock size={12} aria-hidden />
      )}
      {turn.by === undefined || turn.by.person === me ? null : <PromptAuthor by={turn.by} />}
      {text === null ? (
        <span className={styles.text}>{queuedText(turn)}</span>
      ) : (
        <QueuedPromptField text={text} onChange={setText} onLeave={leave} />
      )}
      {can("prompt") && text === null ? (
        <>
          {isSteered ? null : (
            <IconButton
              label="Read at the next step"
              className={styles.action ?? ""}
              disabled={change.isPending}
              onClick={() => change.mutate({ turnID, now: true })}
            >
              <Forward size={12} />
            </IconButton>
          )}
          {earlier === null ? null : (
            <IconButton
              label="Move forward"
              className={styles.action ?? ""}
              disabled={change.isPending}
              onClick={() => change.mutate({ turnID, before: earlier.id })}
            >
              <ArrowUp size={12} />
            </IconButton>
          )}
          {editable === null ? null : (
            <IconButton label="Edit" className={styles.action ?? ""} disabled={change.isPending} onClick={edit}>
              <Pencil size={12} />
            </IconButton>
          )}
          <IconButton
            label="Take back"
            className={styles.action ?? ""}
            disabled={withdraw.isPending}
            onClick={() =>
              void withdraw.mutateAsync({ turnID }).then(
                ({ withdrawn }) => withdrawn && onWithdraw?.(turn),
                () => undefined,
              )
            }
          >
            <X size={12} />
          </IconButton>
        </>
      ) : null}
    </li>
  )
}
