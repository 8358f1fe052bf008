"use client"

import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from "react"
import { type CommentStore, countOf, createCommentStore } from "./comment-store.ts"

const Context = createContext<CommentStore | null>(null)

/** Enables comments on everything inside it. */
export const CommentingProvider = Context

/** The comment store; null where comments are not possible (a shared page). */
export function useCommenting(): CommentStore | null {
  return useContext(Context)
}

/** Stands in for the store on pages without comments. */
const emptyStore = createCommentStore()

/** Calls `onFocus` when the list of comments should open. */
export function useCommentFocus(onFocus: () => void): void {
  const store = useContext(Context) ?? emptyStore
  const focus = useSyncExternalStore(
    store.subscribe,
    () => store.get().focus,
    () => null,
  )
  const latest = useRef(onFocus)
  latest.current = onFocus
  useEffect(() => {
    if (focus !== null) latest.current()
  }, [focus])
}

/** The part whose body must be open. */
export function useRevealedPart(): string | null {
  const store = useContext(Context) ?? emptyStore
  return useSyncExternalStore(
    store.subscribe,
    () => store.get().revealed,
    () => null,
  )
}

/** The number of comments on these ids, in words; empty without comments. */
export function useCommentLabel(ids: readonly string[]): string {
  const store = useContext(Context) ?? emptyStore
  const read = () => commentLabel(countOf(store.get(), ids))
  return useSyncExternalStore(store.subscribe, read, () => "")
}

function commentLabel({ open, drafts }: { open: number; drafts: number }): string {
  const threads = open === 0 ? [] : [`${open} ${open === 1 ? "thread" : "threads"}`]
  const ownDrafts = drafts === 0 ? [] : [`${drafts} ${drafts === 1 ? "draft" : "drafts"}`]
  return [...threads, ...ownDrafts].join(", ")
}
