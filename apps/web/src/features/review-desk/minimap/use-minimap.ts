"use client"

import { useTRPC, useTranscript, useTreeState } from "@docket/client/react"
import type { MessageWithParts } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { useMemo } from "react"
import { askingSince } from "../../tree/asking-since.ts"
import { useStableTreeState } from "../../tree/use-stable-tree-state.ts"
import type { ReviewRows } from "../task/review-rows.ts"
import { layOutMinimap, type Minimap } from "./minimap-lanes.ts"

const noMessages: MessageWithParts[] = []
const noThreads: never[] = []

/** The lanes of a tree. Of the root, what its newest messages tell: the work of the others is kept with their tasks. */
export function useMinimap(rootID: string, rows: ReviewRows): Minimap {
  const trpc = useTRPC()
  const store = useTranscript(rootID, { rootID })
  const threads = useQuery(trpc.review.thread.list.queryOptions({ sessionID: rootID })).data ?? noThreads
  const messages = useTreeState(store, ({ tree }) => tree?.transcripts[rootID]?.messages ?? noMessages)
  const live = useTreeState(store, ({ tree }) => tree?.sessions[rootID]?.status.type !== "idle")
  const asking = useStableTreeState(store, ({ tree }) => (tree === null ? {} : askingSince(tree, [...rows.keys()])))
  return useMemo(
    () => layOutMinimap({ rows, rootID, messages, live, asking, threads }, Date.now()),
    [rows, rootID, messages, live, asking, threads],
  )
}
