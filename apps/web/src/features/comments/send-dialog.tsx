"use client"

import { docketCode } from "@docket/client"
import { useTRPC, useTRPCClient, useTree, useTreeState } from "@docket/client/react"
import { reviewNotice, reviewText } from "@docket/core/review"
import type { ReviewSending, Session, TaskSummary } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { Dialog } from "../../shell/dialog.tsx"
import { formatCount } from "../../ui/format-count.ts"
import styles from "./comments.module.css"
import type { DraftBox } from "./draft-box.ts"
import type { Unsent } from "./to-send.ts"

interface SendDialogProps {
  rootID: string
  session: Session
  to: ReviewSending["to"]
  /** The name of the agent that receives them. */
  agent: string
  unsent: readonly Unsent[]
  box: DraftBox
  onClose: () => void
}

const noTasks: Record<string, TaskSummary> = {}

/** Shows the message as the agent will read it, and sends it once. */
export function SendDialog({ rootID, session, to, agent, unsent, box, onClose }: SendDialogProps) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queries = useQueryClient()
  const announce = useAnnounce()
  // The list is fixed when the dialog opens, so that exactly the previewed comments are sent.
  const [toSend] = useState(unsent)
  const tasks = useTreeState(useTree(rootID), (view) => view.tree?.tasks ?? noTasks)
  const idsOf = (isDraft: boolean) => toSend.filter((one) => one.isDraft === isDraft).map(({ id }) => id)
  const send = useMutation({
    // The mutation is pending from the first press on, so a second press during the save cannot send twice.
    async mutationFn() {
      await box.settled()
      return client.review.send.mutate({ sessionID: session.id, to, commentIDs: idsOf(false), draftIDs: idsOf(true) })
    },
    onSuccess() {
      announce(`Sent to @${agent}`)
      onClose()
    },
    onSettled: () => queries.invalidateQueries(trpc.review.pathFilter()),
  })
  return (
    <Dialog opened onClose={onClose} title={`Send ${formatCount(toSend.length, "comment")} to @${agent}`} size="lg">
      <p className={styles.note}>
        {to === "parent" || session.parentID === null
          ? `@${agent} reads this message next, and works on it.`
          : `@${agent} reads this message before its next step; if it has ended, it goes on with it.`}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className={styles.preview} tabIndex={0}>
        {messageOf(toSend, to === "child" || session.parentID === null ? null : tasks)}
      </pre>
      {send.error === null ? null : (
        <p role="alert" className={styles.refused}>
          {docketCode(send.error) === "comment_sent"
            ? "One of these comments was sent or deleted meanwhile. Close this and look at its thread; the others can be sent again."
            : send.error.message}
        </p>
      )}
      <div className={styles.dialogFoot}>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button variant="filled" data-autofocus loading={send.isPending} onClick={() => send.mutate()}>
          Send
        </Button>
      </div>
    </Dialog>
  )
}

/** The message for the agent. For the delegating agent, `tasks` name the task that each comment is about. */
function messageOf(unsent: readonly Unsent[], tasks: Record<string, TaskSummary> | null): string {
  const comments = unsent.map(({ id, thread, text }) => ({ thread, comment: { id, text } }))
  const taskOf = (id: string | null) => (id === null ? null : (tasks?.[id] ?? null))
  return reviewText(reviewNotice({ sendingID: "", comments, taskOf }))
}
