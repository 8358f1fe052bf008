"use client"

import type { ProgramKey } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { CredentialRow } from "./credential-row.tsx"
import { lifeOf, reachOf } from "./key-labels.ts"
import styles from "./keys.module.css"

/** One key: its owner, its rights, its last use, and a button to revoke it. */
export function KeyRow({ programKey }: { programKey: ProgramKey }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { id, name, start, by, created, used } = programKey
  const revoke = useMutation(
    trpc.team.revokeKey.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.team.keys.pathFilter()),
    }),
  )
  return (
    <CredentialRow
      kind="key"
      name={name}
      beside={<code className={styles.start}>{start}…</code>}
      reach={reachOf(programKey)}
      made={
        <>
          Made by {by.name || "somebody"} <RelativeTime time={created} /> · {lifeOf(programKey, Date.now())}
        </>
      }
      used={used}
      revoke={() => revoke.mutateAsync({ key: id })}
      next="#keys"
    />
  )
}
