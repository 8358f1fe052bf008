"use client"

import { useTRPC } from "@docket/client/react"
import type { TaskSummary } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useAnnounce } from "../../shell/announcer.tsx"
import { showProblem } from "../../shell/show-problem.ts"

/** Actions of a user on one task. Results arrive as events of the tree. */
export function useTaskActions(task: Pick<TaskSummary, "id" | "number">) {
  const trpc = useTRPC()
  const announce = useAnnounce()
  const announcing = (words: string) => ({
    onSuccess: () => announce(`Task ${task.number} ${words}`),
    onError: showProblem,
  })
  const cancel = useMutation(trpc.task.cancel.mutationOptions(announcing("cancelled")))
  const message = useMutation(trpc.task.message.mutationOptions(announcing("will read your message at its next step")))
  const resume = useMutation(trpc.task.resume.mutationOptions(announcing("goes on with your message")))
  const background = useMutation(trpc.task.background.mutationOptions(announcing("goes on in the background")))
  const retry = useMutation(trpc.task.retry.mutationOptions(announcing("was started again")))
  const merge = useMutation(
    trpc.task.merge.mutationOptions({
      onSuccess: ({ worktree }) =>
        announce(worktree?.state === "conflict" ? "The branch has conflicts" : "The branch was merged"),
      onError: showProblem,
    }),
  )
  const taskID = task.id
  return {
    busy: [cancel, message, resume, background, retry, merge].some((mutation) => mutation.isPending),
    cancel: () => cancel.mutate({ taskID }),
    background: () => background.mutate({ taskID }),
    retry: () => retry.mutate({ taskID }),
    merge: () => merge.mutate({ taskID }),
    /** Resolves when the child has received it; rejects when it was refused. */
    message: (text: string) => message.mutateAsync({ taskID, text }),
    /** Resolves when the ended child has been resumed; rejects when it cannot be. */
    resume: (text: string) => resume.mutateAsync({ taskID, text }),
  }
}
