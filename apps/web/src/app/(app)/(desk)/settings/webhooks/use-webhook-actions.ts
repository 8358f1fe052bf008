"use client"

import { useTRPC } from "@docket/client/react"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useDone } from "../../../../../shell/use-done.ts"

export function useWebhookActions() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const done = useDone(trpc.webhook.pathFilter())
  const update = useMutation(trpc.webhook.update.mutationOptions(done("Changed")))
  const test = useMutation(trpc.webhook.test.mutationOptions(done("A test is sent")))
  const rotate = useMutation(trpc.webhook.rotate.mutationOptions(done("It has a new secret")))
  const redeliver = useMutation(trpc.webhook.redeliver.mutationOptions(done("Sent again")))
  // The caller shows the error.
  const remove = useMutation(
    trpc.webhook.remove.mutationOptions({
      onSettled: () => queries.invalidateQueries(trpc.webhook.pathFilter()),
    }),
  )
  return { update, test, rotate, redeliver, remove }
}
