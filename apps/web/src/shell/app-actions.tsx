"use client"

import type { Session } from "@docket/core/schema"
import { createContext, useContext } from "react"

/** What buttons and keys anywhere in the app can ask of the frame. */
export interface AppActions {
  openPalette(): void
  openHelp(): void
  /** Goes to where a session in the project on screen begins, or lets the person pick a project. */
  newSession(): void
  openProject(): void
  /** Asks for a file of a session. */
  importSession(): void
  /** Opens the session rail where it is a drawer. */
  openRail(): void
  /** Opens the share dialog of a tree; with a share, to change that. */
  share(rootID: string, shareID?: string): void
  /** Asks for a new title. */
  rename(session: Session): void
  /** Asks before a session is removed. */
  remove(session: Session): void
}

export const AppActionsContext = createContext<AppActions | null>(null)

export function useAppActions(): AppActions {
  const actions = useContext(AppActionsContext)
  if (!actions) throw new Error("useAppActions needs the AppFrame above it")
  return actions
}
