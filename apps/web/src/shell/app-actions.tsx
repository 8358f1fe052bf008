"use client"

import type { Session } from "@docket/core/schema"
import { createContext, useContext } from "react"

/** Actions of the frame that buttons and keys anywhere in the app can trigger. */
export interface AppActions {
  openPalette(): void
  openHelp(): void
  /** Opens the page for a new session in the current project, or lets the user pick a project. */
  newSession(): void
  openProject(): void
  /** Asks for a session file to import. */
  importSession(): void
  /** Opens the session rail on small screens, where it is a drawer. */
  openRail(): void
  /** Opens the share dialog of a tree; with a share id, to change that share. */
  share(rootID: string, shareID?: string): void
  /** Asks for a new title. */
  rename(session: Session): void
  /** Asks for confirmation before removing a session. */
  remove(session: Session): void
}

export const AppActionsContext = createContext<AppActions | null>(null)

export function useAppActions(): AppActions {
  const actions = useContext(AppActionsContext)
  if (!actions) throw new Error("useAppActions needs the AppFrame above it")
  return actions
}
