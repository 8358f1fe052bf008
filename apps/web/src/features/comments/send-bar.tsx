"use client"

import type { ReviewSending, Session } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useState } from "react"
import { useMe } from "../../shell/me.tsx"
import { formatCount } from "../../ui/format-count.ts"
import { lazyDialog } from "../../ui/lazy-dialog.tsx"
import { isUndone } from "../tree/is-undone.ts"
import styles from "./comments.module.css"
import { unsentOf } from "./to-send.ts"
import type { Comments } from "./use-comments.ts"

const SendDialog = lazyDialog(() => import("./send-dialog.tsx").then((it) => it.SendDialog))

interface SendBarProps {
  rootID: string
  /** The session whose comments are sent. */
  sessionID: string
  comments: Comments
  sessions: Record<string, Session>
}

/** Sends the user's comments on a session to its agent, or to the agent that delegated to it, after a preview. */
export function SendBar({ rootID, sessionID, comments, sessions }: SendBarProps) {
  const [to, setTo] = useState<ReviewSending["to"] | null>(null)
  const session = sessions[sessionID]
  const { person, can } = useMe()
  const unsent = unsentOf({ sessionID, person }, comments.threads ?? [], comments.drafts)
  if (session === undefined || isUndone(session) || !can("prompt")) return null
  if (unsent.length === 0 && to === null) return null
  const parent = session.parentID === null ? undefined : sessions[session.parentID]
  return (
    <div className={styles.send}>
      <Button variant="filled" onClick={() => setTo("child")}>
        Send {formatCount(unsent.length, "comment")} to @{session.agent}
      </Button>
      {parent === undefined ? null : <Button onClick={() => setTo("parent")}>to the parent, @{parent.agent}</Button>}
      {to === null ? null : (
        <SendDialog
          rootID={rootID}
          session={session}
          to={to}
          agent={to === "parent" ? (parent?.agent ?? "agent") : session.agent}
          unsent={unsent}
          box={comments.box}
          onClose={() => setTo(null)}
        />
      )}
    </div>
  )
}
