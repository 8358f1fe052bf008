import { docketCode } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import type { PermissionRequest, Question } from "@docket/core/schema"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { showProblem } from "../../../shell/show-problem.ts"
import { createRequestDrafts } from "../request-drafts.ts"
import { useClearUnreached } from "../use-clear-unreached.ts"
import { type AnswerDraft, answerOf, draftsOf, emptyDraft, isAnswered, isDrafts } from "./question-draft.ts"

const storedDrafts = createRequestDrafts("docket-answers-1", isDrafts)

/** The draft answers to the questions of one request, and the functions that send them. */
export function useAnswer(request: PermissionRequest, questions: readonly Question[]) {
  const trpc = useTRPC()
  // An answer from another user or tab removes this card with its error text, so the error becomes a notification.
  const onError = (error: Parameters<typeof docketCode>[0]) => {
    if (docketCode(error) === "permission_request_answered") void showProblem(error)
  }
  const onSuccess = () => {
    storedDrafts.write(request.id, null)
  }
  const answer = useMutation(trpc.question.answer.mutationOptions({ onError, onSuccess }))
  const dismissal = useMutation(trpc.question.dismiss.mutationOptions({ onError, onSuccess }))
  useClearUnreached(request.rootID, answer, dismissal)
  const [drafts, setDrafts] = useState(() => draftsOf(questions, storedDrafts.read(request.id)))
  const pending = answer.isPending || dismissal.isPending
  const requestID = request.id
  return {
    drafts,
    pending,
    error: answer.error ?? dismissal.error,
    /** Index of the first unanswered question; -1 when all are answered. */
    firstUnanswered: drafts.findIndex((draft) => !isAnswered(draft)),
    change(index: number, draft: AnswerDraft) {
      const next = drafts.with(index, draft)
      storedDrafts.write(requestID, next)
      setDrafts(next)
    },
    send() {
      if (pending) return
      const answers = questions.map((question, index) => answerOf(question, drafts[index] ?? emptyDraft))
      answer.mutate({ requestID, answers })
    },
    dismiss() {
      if (!pending) dismissal.mutate({ requestID })
    },
  }
}
