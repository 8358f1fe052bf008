"use client"

import { Button, TextInput } from "@mantine/core"
import { Plus } from "lucide-react"
import { useState } from "react"
import styles from "./todo-board.module.css"

/** A field that adds one item per line; it stays open for the next item. */
export function TodoAdd({ onAdd, label = "New todo" }: { onAdd(content: string): void; label?: string }) {
  const [content, setContent] = useState("")
  const text = content.trim()
  return (
    <form
      className={styles.add}
      onSubmit={(event) => {
        event.preventDefault()
        if (text === "") return
        onAdd(text)
        setContent("")
      }}
    >
      <TextInput
        className={styles.addField ?? ""}
        aria-label={label}
        data-todo-add
        placeholder="Add an item"
        leftSection={<Plus size={14} aria-hidden />}
        maxLength={2_000}
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
      />
      {text === "" ? null : (
        <Button type="submit" variant="filled">
          Add
        </Button>
      )}
    </form>
  )
}
