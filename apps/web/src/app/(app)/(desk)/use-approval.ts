import { useTRPCClient } from "@docket/client/react"
import { useState } from "react"
import { showProblem } from "../../../shell/show-problem.ts"

/** Approves tasks one after another, and can undo the last approvals. */
export function useApproval() {
  const client = useTRPCClient()
  const [isPending, setPending] = useState(false)
  const [approved, setApproved] = useState<readonly string[]>([])
  const forEachTask = async (taskIDs: readonly string[], work: (taskID: string) => Promise<unknown>) => {
    const done: string[] = []
    setPending(true)
    try {
      for (const taskID of taskIDs) {
        await work(taskID)
        done.push(taskID)
      }
    } catch (error) {
      void showProblem(error)
    } finally {
      setPending(false)
    }
    return done
  }
  return {
    isPending,
    /** The tasks of the last approval. */
    approved,
    async approve(taskIDs: readonly string[]) {
      const given = await forEachTask(taskIDs, (taskID) =>
        client.review.verdict.give.mutate({ taskID, verdict: "approve" }),
      )
      setApproved(given)
    },
    async undo() {
      const withdrawn = await forEachTask(approved, (taskID) => client.review.verdict.withdraw.mutate({ taskID }))
      setApproved(approved.filter((taskID) => !withdrawn.includes(taskID)))
    },
  }
}
