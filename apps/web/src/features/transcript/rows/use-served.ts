"use client"

import { useTRPC, useTreeState } from "@docket/client/react"
import type { Todo } from "@docket/core/schema"
import { servedAt } from "@docket/core/todo"
import { useQuery } from "@tanstack/react-query"
import { type RefObject, useEffect, useMemo, useState } from "react"
import { useTaskStore } from "./live-task.ts"

/** How many changes of the todo list are searched: the newest ones. */
const limit = 1_000
const noTodos: Todo[] = []

/** The todos that a row worked on, in words; "" for none. Loaded only when a row of the session gets hover or focus. */
export function useServed(element: RefObject<HTMLElement | null>, sessionID: string | null, at: number | null): string {
  const trpc = useTRPC()
  const todos = useTreeState(useTaskStore(), ({ tree }) => tree?.todos[sessionID ?? ""] ?? noTodos)
  const [wasPointedAt, setPointed] = useState(false)
  const hasCandidates = sessionID !== null && at !== null && todos.length > 0
  useEffect(() => {
    const row = element.current?.closest("article")
    if (!hasCandidates || !row) return
    const point = () => setPointed(true)
    for (const name of ["pointerenter", "focusin"] as const) row.addEventListener(name, point, { once: true })
    return () => {
      for (const name of ["pointerenter", "focusin"] as const) row.removeEventListener(name, point)
    }
  }, [element, hasCandidates])
  const options = trpc.todo.history.queryOptions({ sessionID: sessionID ?? "", limit })
  const { data } = useQuery({ ...options, enabled: hasCandidates && wasPointedAt, staleTime: Number.POSITIVE_INFINITY })
  return useMemo(
    () =>
      data === undefined || at === null
        ? ""
        : servedAt(data, todos, at)
            .map(({ content }) => content)
            .join(", "),
    [data, todos, at],
  )
}
