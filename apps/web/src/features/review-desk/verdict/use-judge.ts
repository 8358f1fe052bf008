"use client"

import type { VerdictKind } from "@docket/core/schema"
import { useState } from "react"
import { useMe } from "../../../shell/me.tsx"
import { isSeen } from "../../review/judge.ts"
import { useVerdicts } from "../../review/use-verdicts.ts"
import { newestPart } from "../../tree/newest-part.ts"
import type { Desk } from "../desk/use-desk.ts"

interface Writing {
  taskID: string
  verdict: VerdictKind
  reason: string
}

export type Judge = ReturnType<typeof useJudge>

/** The user's verdict on the shown task. It applies to what the page shows, not to newer parts. */
export function useJudge({ rootID, store, row, task, review }: Desk) {
  const verdicts = useVerdicts(rootID)
  const [writing, setWriting] = useState<Writing | null>(null)
  const mayJudge = useMe().can("judge")
  // An earlier attempt cannot be judged any more.
  const current = task !== null && task.id === row?.task?.id ? task.id : null
  const taskID = mayJudge ? current : null
  const shownTask = () => ({ taskID: taskID ?? "", seen: newestPart(store.get().tree, row?.sessionID ?? "") })
  return {
    /** A task is shown that can be judged, by this user or another one. */
    isJudgeable: current !== null,
    /** The user has the right to judge. */
    mayJudge,
    /** The verdict whose reason is being written. */
    writing: writing?.taskID === taskID ? (writing?.verdict ?? null) : null,
    /** Initial text of the reason field: the text that the server rejected. */
    refused: writing?.reason ?? "",
    /** Opens the reason form for a verdict; null closes it. */
    write: (verdict: VerdictKind | null) =>
      setWriting(verdict === null || taskID === null ? null : { taskID, verdict, reason: "" }),
    give(verdict: VerdictKind, reason: string) {
      setWriting(null)
      if (taskID === null) return
      const writeAgain = () => setWriting((now) => now ?? { taskID, verdict, reason })
      verdicts.give(shownTask(), verdict, reason, reason === "" ? () => {} : writeAgain)
    },
    /** Withdraws the user's verdict on a task. */
    withdraw: verdicts.withdraw,
    toggleViewed() {
      if (taskID !== null) verdicts.setViewed(shownTask(), !isSeen(review))
    },
  }
}
