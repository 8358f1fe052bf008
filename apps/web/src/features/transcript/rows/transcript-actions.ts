"use client"

import type { Part } from "@docket/core/schema"
import { createContext, useContext } from "react"

/**
 * Actions that rows can call. The object stays the same for the life of a transcript, so rows need not render again for
 * it.
 */
export interface TranscriptActions {
  /** Opens or closes the body of a part. The choice is kept while the row is unmounted. */
  setOpen(partID: string, open: boolean): void
  /** The part's address on this page. */
  addressOf(partID: string): string
  openSession(sessionID: string): void
  /** Sends a prompt after an error. Null where the user may not (a child session, a read-only page). */
  retry: ((prompt: string) => void) | null
  /** In a child session, prompts that no user sent come from the parent session. */
  isChild: boolean
  /** Undoes from this prompt on. Null where the user may not. */
  undo: ((messageID: string, parts: readonly Part[]) => void) | null
  /** Undoes from the step that has this part on. Null where the user may not. */
  undoStep: ((part: Part) => void) | null
  /** Forks the conversation before this prompt. Null where the user may not. */
  fork: ((messageID: string) => void) | null
}

const inert: TranscriptActions = {
  setOpen: () => {},
  addressOf: () => "",
  openSession: () => {},
  retry: null,
  isChild: false,
  undo: null,
  undoStep: null,
  fork: null,
}

export const TranscriptActionsContext = createContext<TranscriptActions>(inert)

export function useTranscriptActions(): TranscriptActions {
  return useContext(TranscriptActionsContext)
}
