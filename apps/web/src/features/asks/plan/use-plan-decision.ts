import { docketCode } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import type { PermissionRequest } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { showProblem } from "../../../shell/show-problem.ts"
import { createRequestDrafts } from "../request-drafts.ts"
import { useClearUnreached } from "../use-clear-unreached.ts"
import { commentsText, isComments, type PlanComment } from "./plan-comments.ts"

const drafts = createRequestDrafts("docket-plan-comments-1", isComments)

/** The comments on a submitted plan, and the decision to approve it or send it back. */
export function usePlanDecision({ id: requestID, rootID }: PermissionRequest) {
  const trpc = useTRPC()
  // An answer from another user or tab removes this card with its error text, so the error becomes a notification.
  const onError = (error: Parameters<typeof docketCode>[0]) => {
    if (docketCode(error) === "permission_request_answered") void showProblem(error)
  }
  const onSuccess = () => {
    drafts.write(requestID, null)
  }
  const answer = useMutation(trpc.question.answer.mutationOptions({ onError, onSuccess }))
  const dismissal = useMutation(trpc.question.dismiss.mutationOptions({ onError, onSuccess }))
  useClearUnreached(rootID, answer, dismissal)
  const [comments, setComments] = useState<readonly PlanComment[]>(() => drafts.read(requestID) ?? [])
  const pending = answer.isPending || dismissal.isPending
  const changeComments = (next: readonly PlanComment[]) => {
    drafts.write(requestID, next.length === 0 ? null : next)
    setComments(next)
  }
  return {
    comments,
    pending,
    error: answer.error ?? dismissal.error,
    add: (comment: PlanComment) => changeComments([...comments, comment]),
    remove: (index: number) => changeComments(comments.toSpliced(index, 1)),
    /** `label`: one of the choices that the plan's request offers. */
    approve: (label: string) => {
      if (!pending) answer.mutate({ requestID, answers: [{ choices: [label], own: null }] })
    },
    sendBack: () => {
      if (!pending) answer.mutate({ requestID, answers: [{ choices: [], own: commentsText(comments) }] })
    },
    /** Rejects the plan without comments: the session stays in plan mode. */
    close: () => {
      if (!pending) dismissal.mutate({ requestID })
    },
  }
}

export type PlanDecision = ReturnType<typeof usePlanDecision>
