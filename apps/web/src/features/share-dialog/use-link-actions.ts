"use client"

import { useTRPC } from "@docket/client/react"
import { useMutation } from "@tanstack/react-query"
import { useDone } from "../../shell/use-done.ts"

export interface LinkActions {
  isBusy: boolean
  revoke(shareID: string): Promise<void>
  /** Returns the new link; null when none was created. */
  relink(shareID: string): Promise<{ id: string; url: string } | null>
  revokeAll(rootID?: string): Promise<void>
}

/** Actions for existing links. Failures are shown as notifications. */
export function useLinkActions(): LinkActions {
  const trpc = useTRPC()
  const done = useDone(trpc.share.list.pathFilter())
  const revoke = useMutation(trpc.share.revoke.mutationOptions(done("Link revoked")))
  const relink = useMutation(trpc.share.relink.mutationOptions(done("New link made")))
  const revokeAll = useMutation(trpc.share.revokeAll.mutationOptions(done("Links revoked")))
  return {
    isBusy: revoke.isPending || relink.isPending || revokeAll.isPending,
    async revoke(shareID) {
      await revoke.mutateAsync({ shareID }).catch(() => null)
    },
    relink: (shareID) => relink.mutateAsync({ shareID }).catch(() => null),
    async revokeAll(rootID) {
      await revokeAll.mutateAsync(rootID === undefined ? {} : { rootID }).catch(() => null)
    },
  }
}
