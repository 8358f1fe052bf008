"use client"

import { createContext, type ReactNode, useContext, useRef } from "react"
import type { Attachment } from "./attachment.ts"
import type { Mention } from "./mention.ts"

/** A prompt that was not sent yet. Its words outlast a reload of the tab, its attachments do not. */
export interface Draft {
  text: string
  picked: Mention[]
  attachments?: Attachment[]
}

const Context = createContext<Map<string, Draft> | null>(null)

/** Keeps what a person was writing on each page while they look at another one. */
export function DraftsProvider({ children }: { children: ReactNode }) {
  const drafts = useRef(new Map<string, Draft>())
  return <Context value={drafts.current}>{children}</Context>
}

/** Drafts by the session's id, or another key where there is none yet. */
export function useDrafts(): Map<string, Draft> {
  const drafts = useContext(Context)
  if (!drafts) throw new Error("useDrafts needs a DraftsProvider above it")
  return drafts
}
