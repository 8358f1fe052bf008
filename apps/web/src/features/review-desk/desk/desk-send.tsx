"use client"

import { useTree, useTreeState } from "@docket/client/react"
import type { Session } from "@docket/core/schema"
import { SendBar } from "../../comments/send-bar.tsx"
import { useComments } from "../../comments/use-comments.ts"

const noSessions: Record<string, Session> = {}

/** The bar that sends the user's draft comments on the task to its agent. */
export function DeskSend({ rootID, sessionID }: { rootID: string; sessionID: string }) {
  const comments = useComments(rootID)
  const sessions = useTreeState(useTree(rootID), (view) => view.tree?.sessions ?? noSessions)
  return <SendBar rootID={rootID} sessionID={sessionID} comments={comments} sessions={sessions} />
}
