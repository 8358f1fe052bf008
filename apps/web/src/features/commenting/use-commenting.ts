"use client"

import { createContext, useContext, useEffect, useRef, useSyncExternalStore } from "react"
import { type CommentStore, countOf, createCommentStore } from "./comment-store.ts"

const Context = createContext<CommentStore | null>(null)

/** Lets what is below it be commented on. */
export const CommentingProvider = Context

/** Where comments are begun; null where nothing can be commented on (a shared page). */
export function useCommenting(): CommentStore | null {
  return useContext(Context)
}

const nowhere = createCommentStore()

/** Calls back when the list of comments is asked for. */
export function useCommentFocus(onFocus: () => void): void {
  const store = useContext(Context) ?? nowhere
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

/** The part whose body somebody wants to see. */
export function useRevealedPart(): string | null {
  const store = useContext(Context) ?? nowhere
  return useSyncExternalStore(
    store.subscribe,
    () => store.get().revealed,
    () => null,
  )
}

/** What was said of these, in words; empty when nothing was. */
export function useCommentLabel(ids: readonly string[]): string {
  const store = useContext(Context) ?? nowhere
  const read = () => commentLabel(countOf(store.get(), ids))
  return useSyncExternalStore(store.subscribe, read, () => "")
}

function commentLabel({ open, drafts }: { open: number; drafts: number }): string {
  const said = open === 0 ? [] : [`${open} ${open === 1 ? "thread" : "threads"}`]
  const own = drafts === 0 ? [] : [`${drafts} ${drafts === 1 ? "draft" : "drafts"}`]
  return [...said, ...own].join(", ")
}
