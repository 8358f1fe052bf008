"use client"

import { useCallback } from "react"
import { rememberProject } from "./last-project.ts"
import { useGo } from "./use-go.ts"

/** The page that asks for a session's first prompt. The session is made with that prompt, not before. */
export function newSessionHref(projectID: string): string {
  return `/s/new?project=${projectID}`
}

/** Goes to where a session in a project begins, and lets the person write there. */
export function useNewSession(): (projectID: string) => void {
  const go = useGo()
  return useCallback(
    (projectID) => {
      rememberProject(projectID)
      go(newSessionHref(projectID))
      // The page may be on screen already.
      if (location.pathname === "/s/new") document.querySelector<HTMLTextAreaElement>("[data-composer]")?.focus()
    },
    [go],
  )
}
