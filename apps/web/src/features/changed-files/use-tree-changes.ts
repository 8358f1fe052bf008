"use client"

import { useTRPC, useTree } from "@docket/client/react"
import type { Session } from "@docket/core/schema"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import type { TaskName } from "./changed-files.ts"

/** The list is read again at most this often while the tree works (ms): the server reads the whole tree for it. */
const refreshMs = 3_000

/** The changes of a tree, read again as its steps end and when something is undone. */
export function useTreeChanges(rootID: string) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const store = useTree(rootID)
  const options = trpc.changes.list.queryOptions({ sessionID: rootID })
  const query = useQuery({ ...options, staleTime: refreshMs })
  const stages = useStableTreeState(store, (view) => stagesOf(view.tree?.sessions ?? {}))
  const tasks = useStableTreeState(store, (view) => view.tree?.tasks ?? {})
  useLater(stages, () => void client.invalidateQueries({ queryKey: options.queryKey }))
  const names = useMemo((): TaskName[] => Object.values(tasks), [tasks])
  return { query, tasks: names }
}

/** Runs `work` some time after `value` changed, also while it keeps changing. */
function useLater(value: unknown, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  const seen = useRef(value)
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  useEffect(() => {
    if (seen.current === value) return
    seen.current = value
    timer.current ??= setTimeout(() => {
      timer.current = null
      latest.current()
    }, refreshMs)
  }, [value])
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
    },
    [],
  )
}

/** How far each session is: what it used grows with each step. */
function stagesOf(sessions: Record<string, Session>): Record<string, string> {
  return Object.fromEntries(
    Object.values(sessions).map(({ id, status, tokens, revert }) => [
      id,
      [status.type, tokens.input + tokens.output, revert?.messageID, revert?.files.state].join(),
    ]),
  )
}
