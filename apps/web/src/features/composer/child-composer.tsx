"use client"

import type { TaskSummary } from "@docket/core/schema"
import { ArrowUp, Square } from "lucide-react"
import { type KeyboardEvent, useId, useRef, useState } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import { useTaskActions } from "../task/use-task-actions.ts"
import styles from "./composer.module.css"
import { useDrafts } from "./drafts.tsx"
import { useAutosize } from "./use-autosize.ts"

interface ChildComposerProps {
  /** The newest task of the child session. */
  task: TaskSummary
  /** `message`: a working child reads it before its next step. `resume`: an ended child continues with it. */
  how: "message" | "resume"
  /** Something runs in the child session. */
  busy: boolean
  onStop(): void
  /** The server has accepted the message. */
  onSent(): void
}

/** The field for messages to a child session. Mount one per session (`key`). */
export function ChildComposer({ task, how, busy, onStop, onSent }: ChildComposerProps) {
  const { sessionID, agent } = task
  const actions = useTaskActions(task)
  const drafts = useDrafts()
  const [text, setText] = useState(() => drafts.get(sessionID)?.text ?? "")
  const [sending, setSending] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const help = useId()
  useAutosize(field, text)
  const write = (next: string) => {
    setText(next)
    drafts.set(sessionID, { text: next, picked: [] })
  }
  const send = async () => {
    if (text.trim() === "" || sending) return
    setSending(true)
    try {
      await (how === "message" ? actions.message(text.trim()) : actions.resume(text.trim()))
      write("")
      onSent()
    } catch {
      // A notification shows the reason; the text stays for another attempt.
    } finally {
      setSending(false)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <div className={styles.composer}>
      <div className={styles.box}>
        <textarea
          ref={field}
          data-composer
          className={styles.input}
          rows={1}
          value={text}
          readOnly={sending}
          placeholder={how === "message" ? `Message @${agent}` : `Go on with @${agent}`}
          aria-label={how === "message" ? `Message to ${agent}` : `Go on with ${agent}`}
          aria-describedby={help}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <div className={styles.bar}>
          <span id={help} className={styles.hint}>
            {how === "message"
              ? "It reads this at its next step. Its work comes from the session above."
              : "It continues here in the background; the session above gets the result."}
          </span>
          {busy ? (
            <IconButton label="Stop this subagent" variant="default" onClick={onStop}>
              <Square size={12} fill="currentColor" />
            </IconButton>
          ) : null}
          {busy && text.trim() === "" ? null : (
            <IconButton
              label="Send"
              variant="filled"
              color="indigo"
              disabled={text.trim() === ""}
              loading={sending}
              onClick={send}
            >
              <ArrowUp size={16} />
            </IconButton>
          )}
        </div>
      </div>
    </div>
  )
}
