"use client"

import { useTRPC } from "@docket/client/react"
import type { Todo } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useLayoutEffect, useMemo, useRef, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { showProblem } from "../../shell/show-problem.ts"
import { afterAnswer, afterList, applyEdits, type PendingEdit, type TodoEdit, type TodoPatch } from "./todo-edits.ts"

/** A user's edits of a list. Each is shown at once and undone when the service refuses it. */
export interface TodoActions {
  add(content: string): void
  update(todo: Todo, patch: TodoPatch): void
  remove(todo: Todo): void
}

/** A live list with the user's edits applied. `sessionID` is where new items go; null makes them tenant-wide. */
export function useTodoEdits(live: readonly Todo[], sessionID: string | null): { todos: Todo[]; actions: TodoActions } {
  const trpc = useTRPC()
  const announce = useAnnounce()
  const [edits, setEdits] = useState<readonly PendingEdit[]>([])
  const nextKey = useRef(0)
  useLayoutEffect(() => setEdits((pending) => afterList(pending, live)), [live])
  const create = useMutation(trpc.todo.create.mutationOptions()).mutateAsync
  const update = useMutation(trpc.todo.update.mutationOptions()).mutateAsync
  const remove = useMutation(trpc.todo.remove.mutationOptions()).mutateAsync
  const actions = useMemo<TodoActions>(() => {
    const run = async (edit: TodoEdit, words: string, call: () => Promise<Todo | null>) => {
      const key = nextKey.current++
      setEdits((pending) => [...pending, { key, edit, settled: null, arrived: [] }])
      try {
        const settled = (await call()) ?? "removed"
        setEdits((pending) => afterAnswer(pending, key, settled))
        announce(words)
      } catch (error) {
        setEdits((pending) => pending.filter((it) => it.key !== key))
        showProblem(error)
      }
    }
    return {
      add(content) {
        const todo = draft(content, sessionID, `new-${nextKey.current}`)
        void run({ kind: "add", id: todo.id, todo }, "Added", () => create({ sessionID, content }))
      },
      update: (todo, patch) =>
        void run({ kind: "update", id: todo.id, patch }, wordsOf(patch), () => update({ todo: todo.id, ...patch })),
      remove: (todo) => void run({ kind: "remove", id: todo.id }, "Deleted", () => remove({ todo: todo.id })),
    }
  }, [announce, create, update, remove, sessionID])
  return { todos: useMemo(() => applyEdits(live, edits), [live, edits]), actions }
}

function wordsOf(patch: TodoPatch): string {
  if (patch.position !== undefined) return `Moved to place ${patch.position + 1}`
  if (patch.status === "completed") return "Done"
  if (patch.status === "in_progress") return "Started"
  if (patch.status === "cancelled") return "Cancelled"
  return patch.status === "pending" ? "Open again" : "Saved"
}

/** A new item to show until the service has created it. */
function draft(content: string, sessionID: string | null, id: string): Todo {
  const now = Date.now()
  return {
    id,
    number: 0,
    sessionID,
    content,
    description: "",
    status: "pending",
    priority: "medium",
    position: 0,
    agent: null,
    dependsOn: [],
    owner: null,
    proposed: null,
    time: { created: now, updated: now, completed: null },
  }
}
