"use client"

import { useCallback } from "react"
import { holdForPrompt, type PromptHold } from "./hold-for-prompt.ts"
import { rememberProject } from "./last-project.ts"
import { useGo } from "./use-go.ts"

/** The page for a new session's first prompt. The session is created with that prompt, not before. */
export function newSessionHref(projectID: string): string {
  return `/s/new?project=${projectID}`
}

/**
 * Opens the page for a new session in a project. Keys typed since the start of `hold` are kept for its prompt field.
 */
export function useNewSession(): (projectID: string, hold?: PromptHold) => void {
  const go = useGo()
  return useCallback(
    (projectID, hold = holdForPrompt()) => {
      const href = newSessionHref(projectID)
      rememberProject(projectID)
      go(href)
      hold.aimAt(href)
    },
    [go],
  )
}
