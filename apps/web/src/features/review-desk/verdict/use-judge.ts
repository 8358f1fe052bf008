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

/** What the reader says of the task on the desk, as far as the page shows it: not of what came since. */
export function useJudge({ rootID, store, row, task, review }: Desk) {
  const verdicts = useVerdicts(rootID)
  const [writing, setWriting] = useState<Writing | null>(null)
  // An attempt that another followed is not judged any more.
  const mayJudge = useMe().can("judge")
  const current = task !== null && task.id === row?.task?.id ? task.id : null
  const taskID = mayJudge ? current : null
  const at = () => ({ taskID: taskID ?? "", seen: newestPart(store.get().tree, row?.sessionID ?? "") })
  return {
    /** There is something to judge. */
    can: current !== null,
    /** The reader is one who judges. */
    may: mayJudge,
    /** The verdict whose reason is being written. */
    writing: writing?.taskID === taskID ? (writing?.verdict ?? null) : null,
    /** What its field begins with: words that the service did not take. */
    refused: writing?.reason ?? "",
    /** Asks for the reason of a verdict, or with null no more. */
    write: (verdict: VerdictKind | null) =>
      setWriting(verdict === null || taskID === null ? null : { taskID, verdict, reason: "" }),
    give(verdict: VerdictKind, reason: string) {
      setWriting(null)
      if (taskID === null) return
      const again = () => setWriting((now) => now ?? { taskID, verdict, reason })
      verdicts.give(at(), verdict, reason, reason === "" ? () => {} : again)
    },
    /** Takes the reader's verdict on a task back. */
    withdraw: verdicts.withdraw,
    toggleViewed() {
      if (taskID !== null) verdicts.setViewed(at(), !isSeen(review))
    },
  }
}
