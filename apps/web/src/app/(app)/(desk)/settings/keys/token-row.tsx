"use client"

import type { ProgramToken } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { CredentialRow } from "./credential-row.tsx"

/** One token for `/v1`: when it was created and used, and a button to revoke it. */
export function TokenRow({ token }: { token: ProgramToken }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { id, name, by, created, used } = token
  const revoke = useMutation(
    trpc.team.revokeToken.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.team.tokens.pathFilter()),
    }),
  )
  return (
    <CredentialRow
      kind="token"
      name={name}
      made={
        <>
          Made {by === null ? "" : `by ${by.name || "somebody"} `}
          <RelativeTime time={created} />
        </>
      }
      used={used}
      revoke={() => revoke.mutateAsync({ token: id })}
      next="#tokens"
    />
  )
}
