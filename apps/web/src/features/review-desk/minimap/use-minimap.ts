"use client"

import { useTRPC, useTranscript, useTreeState } from "@docket/client/react"
import type { MessageWithParts } from "@docket/core/schema"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useMemo } from "react"
import { askingSince } from "../../tree/asking-since.ts"
import { useLater } from "../../tree/use-later.ts"
import { useStableTreeState } from "../../tree/use-stable-tree-state.ts"
import type { ReviewRows } from "../task/review-rows.ts"
import { heldSince } from "./held-since.ts"
import { layOutMinimap, type Minimap } from "./minimap-lanes.ts"

/** What became of the root is asked for again this long after it changed (ms). */
const recountMs = 1_000

const noMessages: MessageWithParts[] = []
const noThreads: never[] = []

/**
 * The lanes of a tree. Of the root, what its messages tell, and of those that are not loaded the service: the work of the
 * others is kept with their tasks.
 */
export function useMinimap(rootID: string, rows: ReviewRows): Minimap {
  const trpc = useTRPC()
  const store = useTranscript(rootID, { rootID })
  const threads = useQuery(trpc.review.thread.list.queryOptions({ sessionID: rootID })).data ?? noThreads
  const window = useTreeState(store, ({ tree }) => tree?.transcripts[rootID])
  const messages = window?.messages ?? noMessages
  const isWhole = window === undefined || (window.before === null && window.after === null)
  const live = useTreeState(store, ({ tree }) => tree?.sessions[rootID]?.status.type !== "idle")
  const asking = useStableTreeState(store, ({ tree }) =>
    tree === null ? {} : { ...heldSince(tree), ...askingSince(tree, [...rows.keys()]) },
  )
  const client = useQueryClient()
  const options = trpc.session.work.queryOptions({ sessionID: rootID }, { enabled: !isWhole })
  const work = useQuery(options).data ?? null
  // What waited for a person meanwhile is told of the ones that were answered.
  useLater(`${live} ${asking[rootID]}`, recountMs, () => void client.invalidateQueries({ queryKey: options.queryKey }))
  return useMemo(
    () => layOutMinimap({ rows, rootID, messages, work, live, asking, threads }, Date.now()),
    [rows, rootID, messages, work, live, asking, threads],
  )
}
