"use client"

import type { PermissionRequest, Session } from "@docket/core/schema"
import { useMemo, useState } from "react"
import { useMe } from "../../shell/me.tsx"
import { useKeys } from "../keyboard/use-keys.ts"
import { RequestCard } from "./leave/request-card.tsx"
import { PlanCard } from "./plan/plan-card.tsx"
import { QuestionCard } from "./question/question-card.tsx"
import { groupRequests, listedRequests, neighbourOf, placeOf } from "./request-groups.ts"
import { RequestList } from "./request-list.tsx"
import { WaitingCard } from "./waiting-card.tsx"

/**
 * The open requests of the tree, with one in detail: the oldest, or the one chosen in the list. Renders nothing without
 * requests.
 */
export function AskCard({ requests, sessions }: { requests: PermissionRequest[]; sessions: Session[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const mayAnswer = useMe().can("answer")
  const groups = useMemo(() => groupRequests(requests, sessions), [requests, sessions])
  const listed = listedRequests(groups)
  const current =
    listed.find(({ request }) => request.id === chosen) ?? listed.find(({ request }) => request === requests[0])
  const move = (step: number) => (event: KeyboardEvent) => {
    if (current === undefined) return
    event.preventDefault()
    setChosen(neighbourOf(listed, current.request.id, step))
  }
  useKeys({ "Alt+KeyJ": move(1), "Alt+KeyK": move(-1) })
  if (current === undefined) return null
  const { id, metadata } = current.request
  const card = { ...current, place: placeOf(listed, id) }
  const list = listed.length > 1 ? <RequestList groups={groups} current={id} onChoose={setChosen} /> : null
  if (!mayAnswer) {
    return (
      <WaitingCard key={id} {...card}>
        {list}
      </WaitingCard>
    )
  }
  if (metadata.kind === "plan") {
    return (
      <PlanCard key={id} {...card} partID={metadata.partID}>
        {list}
      </PlanCard>
    )
  }
  if (metadata.kind === "question") {
    return (
      <QuestionCard key={id} {...card} questions={metadata.questions}>
        {list}
      </QuestionCard>
    )
  }
  return (
    <RequestCard key={id} {...card}>
      {list}
    </RequestCard>
  )
}
