"use client"

import type { ProgramKey } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { useAnnounce } from "../../../../../shell/announcer.tsx"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { LazyConfirmDialog } from "../lazy-confirm-dialog.ts"
import settings from "../settings.module.css"
import { lifeOf, reachOf } from "./key-words.ts"
import styles from "./keys.module.css"

/** One key: whose it is, what it may, when it was used, and the way to end it. */
export function KeyRow({ programKey }: { programKey: ProgramKey }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [asking, setAsking] = useState(false)
  const { id, name, start, by, created, used } = programKey
  const revoke = useMutation(
    trpc.team.revokeKey.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.team.keys.pathFilter()),
    }),
  )
  return (
    <li className={settings.provider}>
      <div className={settings.line}>
        <span className={settings.text}>
          <span className={settings.name}>
            {name} <code className={styles.start}>{start}…</code>
          </span>
          <span className={settings.meta}>{reachOf(programKey)}</span>
          <span className={settings.meta}>
            Made by {by.name || "somebody"} <RelativeTime time={created} /> · {lifeOf(programKey, Date.now())} ·{" "}
            {used === null ? (
              "never used"
            ) : (
              <>
                last used <RelativeTime time={used} />
              </>
            )}
          </span>
        </span>
        <Button color="red" variant="subtle" aria-label={`Revoke the key ${name}`} onClick={() => setAsking(true)}>
          Revoke…
        </Button>
      </div>
      {asking ? (
        <LazyConfirmDialog
          title={`Revoke “${name}”`}
          action="Revoke"
          confirm={async () => {
            await revoke.mutateAsync({ key: id })
            announce("The key does not work any more")
          }}
          onClose={() => setAsking(false)}
          next="#keys"
        >
          Programs that use this key are refused from now on. This cannot be undone.
        </LazyConfirmDialog>
      ) : null}
    </li>
  )
}
