"use client"

import { ArrowUp } from "lucide-react"
import { useId, useState } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./tasks.module.css"

interface TaskMessageFormProps {
  number: number
  agent: string
  /** The task has ended: the text resumes it. */
  ended: boolean
  onSend(text: string): Promise<unknown>
  /** Called when the user presses Esc, or when an ended task was resumed. */
  onClose(): void
}

/** A message to a child session: a working child reads it before its next step, an ended one is resumed with it. */
export function TaskMessageForm({ number, agent, ended, onSend, onClose }: TaskMessageFormProps) {
  const [text, setText] = useState("")
  const [sending, setSending] = useState(false)
  const help = useId()
  const send = async () => {
    setSending(true)
    try {
      await onSend(text.trim())
      setText("")
      onClose()
    } catch {
      // A toast shows the reason; the text stays for another attempt.
    } finally {
      setSending(false)
    }
  }
  return (
    <form
      className={styles.messageForm}
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() !== "") void send()
      }}
    >
      <input
        className={styles.messageField}
        aria-label={`Message to task ${number}`}
        aria-describedby={help}
        placeholder={`${ended ? "Go on with" : "Message"} @${agent}`}
        // biome-ignore lint/a11y/noAutofocus: it was opened to write into it
        autoFocus={ended}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          event.stopPropagation()
          event.currentTarget.blur()
          onClose()
        }}
      />
      <span id={help} className="visually-hidden">
        {ended ? "It goes on in its session, in the background" : "It reads this at its next step"}
      </span>
      {text.trim() === "" ? null : (
        <IconButton type="submit" label={`Send to task ${number}`} variant="filled" color="indigo" loading={sending}>
          <ArrowUp size={14} />
        </IconButton>
      )}
    </form>
  )
}
