"use client"

import { createContext, type ReactNode, useContext, useRef } from "react"
import type { Attachment } from "./attachment.ts"
import type { Mention } from "./mention.ts"

/** An unsent prompt. Its text survives a reload of the tab, its attachments do not. */
export interface Draft {
  text: string
  picked: Mention[]
  attachments?: Attachment[]
}

const Context = createContext<Map<string, Draft> | null>(null)

/** Keeps the user's draft of each page while another page is shown. */
export function DraftsProvider({ children }: { children: ReactNode }) {
  const drafts = useRef(new Map<string, Draft>())
  return <Context value={drafts.current}>{children}</Context>
}

/** Drafts by session id, or by another key for a session that does not exist yet. */
export function useDrafts(): Map<string, Draft> {
  const drafts = useContext(Context)
  if (!drafts) throw new Error("useDrafts needs a DraftsProvider above it")
  return drafts
}
