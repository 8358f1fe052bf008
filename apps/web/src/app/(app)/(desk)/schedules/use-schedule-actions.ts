"use client"

import { useTRPC } from "@docket/client/react"
import type { Schedule } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useDone } from "../../../../shell/use-done.ts"

export function useScheduleActions({ id: schedule }: Schedule) {
  const trpc = useTRPC()
  const done = useDone(trpc.schedule.pathFilter())
  const runNow = useMutation(trpc.schedule.runNow.mutationOptions(done("Started")))
  const setStatus = useMutation(trpc.schedule.setStatus.mutationOptions(done("Changed")))
  const remove = useMutation(trpc.schedule.remove.mutationOptions(done("Deleted")))
  return {
    busy: runNow.isPending,
    runNow: () => runNow.mutate({ schedule }),
    setStatus: (status: "active" | "paused" | "canceled") => setStatus.mutate({ schedule, status }),
    remove: () => remove.mutate({ schedule }),
  }
}
