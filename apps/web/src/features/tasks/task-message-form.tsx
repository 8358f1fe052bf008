"use client"

import { Button, TextInput } from "@mantine/core"
import { useState } from "react"
import styles from "./tasks.module.css"

interface TaskMessageFormProps {
  number: number
  onSend(text: string): Promise<unknown>
  onClose(): void
}

/** A line to a running child, which reads it before its next step. */
export function TaskMessageForm({ number, onSend, onClose }: TaskMessageFormProps) {
  const [text, setText] = useState("")
  const [sending, setSending] = useState(false)
  const send = async () => {
    setSending(true)
    try {
      await onSend(text.trim())
      onClose()
    } catch {
      // The corner shows the reason; the words stay for another attempt.
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
      <TextInput
        className={styles.messageField ?? ""}
        aria-label={`Message to task ${number}`}
        placeholder="It reads this at its next step"
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return
          event.stopPropagation()
          onClose()
        }}
      />
      <Button type="submit" variant="filled" disabled={text.trim() === ""} loading={sending}>
        Send
      </Button>
    </form>
  )
}
