"use client"

import { useTRPC } from "@docket/client/react"
import type { TaskSummary } from "@docket/core/schema"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import dynamic from "next/dynamic"
import { ErrorState } from "../../../ui/error-state.tsx"
import { lazyPart } from "../../../ui/lazy-part.tsx"
import { loadPart } from "../../../ui/load-part.ts"
import { BriefAndResultSpace } from "../../child/child-header-space.tsx"
import { useLater } from "../../tree/use-later.ts"
import { briefOf } from "./brief-of.ts"

// The Markdown renderer is loaded while the task record is loading.
const BriefAndResult = lazyPart(
  dynamic(() => loadPart(() => import("../../child/brief-and-result.tsx").then((it) => it.BriefAndResult))),
  { loading: () => <BriefAndResultSpace /> },
)

/** How long after a change the record is loaded again (ms). */
const settleMs = 200

/** The brief and the result of the task, from its record. */
export function TaskBrief({ task }: { task: TaskSummary }) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const options = trpc.task.get.queryOptions({ taskID: task.id })
  const record = useQuery(options)
  // Tasks in the tree have no long texts, so the full record is loaded.
  useLater(
    `${task.state} ${task.result}`,
    settleMs,
    () => void client.invalidateQueries({ queryKey: options.queryKey }),
  )
  if (record.isLoadingError) {
    return (
      <ErrorState
        title="The brief cannot be shown"
        message={record.error.message}
        onRetry={() => void record.refetch()}
      />
    )
  }
  if (record.data === undefined) return <BriefAndResultSpace />
  return <BriefAndResult {...briefOf(record.data, task.state)} />
}
