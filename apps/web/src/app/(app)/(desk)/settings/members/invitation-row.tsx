"use client"

import type { Invitation } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { showProblem } from "../../../../../shell/show-problem.ts"
import { formatDay } from "../../../../../ui/format.ts"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { roleName } from "../role-choice.ts"
import styles from "../settings.module.css"

/** An open invitation. */
export function InvitationRow({ invitation: { id, email, role, by, created, expires } }: { invitation: Invitation }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const cancel = useMutation(
    trpc.team.cancelInvitation.mutationOptions({
      onError: showProblem,
      // Also after an error, because the invitation may have been accepted.
      onSettled: () => queries.invalidateQueries(trpc.team.pathFilter()),
    }),
  )
  const takeBack = async () => {
    await cancel.mutateAsync({ invitation: id })
    announce(`The link of ${email} does not work any more`)
    document.getElementById("invitations")?.focus()
  }
  return (
    <li className={styles.provider}>
      <div className={styles.line}>
        <span className={styles.text}>
          <span className={styles.name}>{email}</span>
          <span className={styles.meta}>
            {roleName(role)} · invited by {by || "somebody"} <RelativeTime time={created} /> · until{" "}
            {formatDay(expires)}
          </span>
        </span>
        <Button
          color="red"
          variant="subtle"
          aria-label={`Cancel the invitation of ${email}`}
          loading={cancel.isPending}
          onClick={() => takeBack().catch(() => {})}
        >
          Cancel
        </Button>
      </div>
    </li>
  )
}
