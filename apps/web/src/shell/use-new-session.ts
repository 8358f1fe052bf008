"use client"

import { useCallback } from "react"
import { holdForPrompt, type PromptHold } from "./hold-for-prompt.ts"
import { rememberProject } from "./last-project.ts"
import { useGo } from "./use-go.ts"

/** The page that asks for a session's first prompt. The session is made with that prompt, not before. */
export function newSessionHref(projectID: string): string {
  return `/s/new?project=${projectID}`
}

/**
 * Goes to where a session in a project begins, and lets the person write there at once: what is typed before the page is
 * there waits for it, from the beginning of `hold`.
 */
export function useNewSession(): (projectID: string, hold?: PromptHold) => void {
  const go = useGo()
  return useCallback(
    (projectID, hold = holdForPrompt()) => {
      const href = newSessionHref(projectID)
      rememberProject(projectID)
      go(href)
      // The page may be on screen already.
      if (location.pathname === "/s/new") document.querySelector<HTMLTextAreaElement>("[data-composer]")?.focus()
      hold.aimAt(href)
    },
    [go],
  )
}
