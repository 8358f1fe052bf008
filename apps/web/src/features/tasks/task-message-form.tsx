"use client"

import { ArrowUp } from "lucide-react"
import { useId, useState } from "react"
import { IconButton } from "../../ui/icon-button.tsx"
import styles from "./tasks.module.css"

interface TaskMessageFormProps {
  number: number
  agent: string
  /** It has ended: what is written goes on with it. */
  ended: boolean
  onSend(text: string): Promise<unknown>
  /** Esc was pressed, or an ended task goes on. */
  onClose(): void
}

/** A line to a child: one that works reads it before its next step, one that has ended goes on with it. */
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
      // The corner shows the reason; the words stay for another attempt.
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
