"use client"

import type { Part } from "@docket/core/schema"
import { createContext, useContext } from "react"

/** What rows can ask for. Stable for the life of a transcript, so that rows need not render for it. */
export interface TranscriptActions {
  /** Opens or closes the body of a part; the choice outlives the row's time on screen. */
  setOpen(partID: string, open: boolean): void
  /** The part's address on this page. */
  addressOf(partID: string): string
  openSession(sessionID: string): void
  /** Sends a prompt after an error. Null where nobody may (a child, a read-only page). */
  retry: ((prompt: string) => void) | null
  /** Prompts that no person sent are those of the session above. */
  isChild: boolean
  /** Undoes from this prompt on. Null where nobody may. */
  undo: ((messageID: string, parts: readonly Part[]) => void) | null
}

const inert: TranscriptActions = {
  setOpen: () => {},
  addressOf: () => "",
  openSession: () => {},
  retry: null,
  isChild: false,
  undo: null,
}

export const TranscriptActionsContext = createContext<TranscriptActions>(inert)

export function useTranscriptActions(): TranscriptActions {
  return useContext(TranscriptActionsContext)
}
