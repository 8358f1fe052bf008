"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { useMe } from "../../../../../shell/me.tsx"
import { formatCount } from "../../../../../ui/format-count.ts"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import { Section } from "../section.tsx"
import settings from "../settings.module.css"

/** Former members who left private sessions behind; renders nothing when there are none. */
export function FormerMembers() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const { role } = useMe()
  const former = useQuery(trpc.team.former.queryOptions())
  const open = useMutation(
    trpc.team.openSessions.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.team.former.pathFilter()),
    }),
  )
  const [toConfirm, setToConfirm] = useState<{ person: string; name: string; hidden: number } | null>(null)
  if (!former.data?.length && toConfirm === null) return null
  return (
    <Section id="former" title="Former members with private sessions">
      <ul aria-label="Former members">
        {former.data?.map((each) => (
          <li key={each.person} className={settings.provider}>
            <div className={settings.line}>
              <span className={settings.text}>
                <bdi className={settings.name}>{each.name || "Somebody who has no account any more"}</bdi>
                <span className={settings.meta}>{formatCount(each.hidden, "private session")} that nobody sees</span>
              </span>
              {role === "owner" ? (
                <Button
                  aria-label={`Show to everybody the sessions of ${each.name || "somebody"}`}
                  onClick={() => setToConfirm(each)}
                >
                  Show to everybody…
                </Button>
              ) : null}
            </div>
          </li>
        ))}
      </ul>
      {role === "owner" ? null : <p className={settings.hint}>An owner can show them to the workspace.</p>}
      {toConfirm === null ? null : (
        <LazyConfirmDialog
          title={`Show the sessions of ${toConfirm.name || "somebody"}`}
          action="Show to everybody"
          confirm={async () => {
            const { opened } = await open.mutateAsync({ person: toConfirm.person })
            announce(`${formatCount(opened, "session")} shown to everybody here`)
          }}
          onClose={() => setToConfirm(null)}
          next="#members"
        >
          Everybody in the workspace sees {formatCount(toConfirm.hidden, "session")} that {toConfirm.name || "somebody"}{" "}
          kept private. This cannot be taken back, and the audit log tells of it.
        </LazyConfirmDialog>
      )}
    </Section>
  )
}
