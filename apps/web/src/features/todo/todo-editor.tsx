"use client"

import type { Todo, TodoPriority } from "@docket/core/schema"
import { Button, SegmentedControl, Textarea } from "@mantine/core"
import { useState } from "react"
import { useModKey } from "../keyboard/use-mod-key.ts"
import styles from "./todo-board.module.css"
import type { TodoPatch } from "./todo-edits.ts"

const priorities = [
  { value: "high", label: "High" },
  { value: "medium", label: "Medium" },
  { value: "low", label: "Low" },
]

interface TodoEditorProps {
  todo: Todo
  onSave(patch: TodoPatch): void
  onClose(): void
}

export function TodoEditor({ todo, onSave, onClose }: TodoEditorProps) {
  const [content, setContent] = useState(todo.content)
  const [description, setDescription] = useState(todo.description)
  const [priority, setPriority] = useState<TodoPriority>(todo.priority)
  const mod = useModKey()
  const text = content.trim()
  const save = () => {
    if (text === "") return
    const patch: TodoPatch = {}
    if (text !== todo.content) patch.content = text
    if (description !== todo.description) patch.description = description
    if (priority !== todo.priority) patch.priority = priority
    if (Object.keys(patch).length > 0) onSave(patch)
    onClose()
  }
  return (
    <form
      className={styles.editor}
      aria-label={`Edit ${todo.content}`}
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") {
          event.stopPropagation()
          onClose()
        }
        if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) save()
      }}
    >
      <Textarea
        label="Todo"
        autosize
        minRows={1}
        maxRows={6}
        maxLength={2_000}
        autoFocus
        value={content}
        onChange={(event) => setContent(event.currentTarget.value)}
        onKeyDown={(event) => {
          const plain = !event.shiftKey && !event.metaKey && !event.ctrlKey && !event.nativeEvent.isComposing
          if (event.key !== "Enter" || !plain) return
          event.preventDefault()
          save()
        }}
      />
      <Textarea
        label="Description"
        description={`${mod}+Enter saves`}
        classNames={{ description: styles.keysHint ?? "" }}
        autosize
        minRows={2}
        maxRows={10}
        maxLength={20_000}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <SegmentedControl
        aria-label="Priority"
        data={priorities}
        value={priority}
        // The control returns one of the values above.
        onChange={(value) => setPriority(value as TodoPriority)}
      />
      <div className={styles.editorActions}>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        <Button type="submit" variant="filled" disabled={text === ""}>
          Save
        </Button>
      </div>
    </form>
  )
}
