"use client"

import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { showDone } from "../../shell/show-done.ts"
import { showProblem } from "../../shell/show-problem.ts"

/** Revokes all share links of a tree, and announces how many there were. */
export function useUnshare(): (rootID: string) => void {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const { mutate } = useMutation(
    trpc.share.revokeAll.mutationOptions({
      onSuccess: ({ length }) => {
        void showDone(
          length === 0 ? "It has no links" : length === 1 ? "Its link is revoked" : `Its ${length} links are revoked`,
        )
        return queries.invalidateQueries(trpc.share.list.pathFilter())
      },
      onError: showProblem,
    }),
  )
  return (rootID) => mutate({ rootID })
}
