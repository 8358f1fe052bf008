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

/** How long after a change the root's activity is loaded again (ms). */
const recountMs = 1_000

const noMessages: MessageWithParts[] = []
const noThreads: never[] = []

/**
 * The lanes of a tree. The root's lane comes from its loaded messages, and from the server for older ones. The other
 * lanes come from the task records.
 */
export function useMinimap(rootID: string, rows: ReviewRows): Minimap {
  const trpc = useTRPC()
  const store = useTranscript(rootID, { rootID })
  const threads = useQuery(trpc.review.thread.list.queryOptions({ sessionID: rootID })).data ?? noThreads
  const transcript = useTreeState(store, ({ tree }) => tree?.transcripts[rootID])
  const messages = transcript?.messages ?? noMessages
  const isWhole = transcript === undefined || (transcript.before === null && transcript.after === null)
  const live = useTreeState(store, ({ tree }) => tree?.sessions[rootID]?.status.type !== "idle")
  const asking = useStableTreeState(store, ({ tree }) =>
    tree === null ? {} : { ...heldSince(tree), ...askingSince(tree, [...rows.keys()]) },
  )
  const client = useQueryClient()
  const options = trpc.session.work.queryOptions({ sessionID: rootID }, { enabled: !isWhole })
  const work = useQuery(options).data ?? null
  // The server records a wait for a user only after the request is answered.
  useLater(`${live} ${asking[rootID]}`, recountMs, () => void client.invalidateQueries({ queryKey: options.queryKey }))
  return useMemo(
    () => layOutMinimap({ rows, rootID, messages, work, live, asking, threads }, Date.now()),
    [rows, rootID, messages, work, live, asking, threads],
  )
}
