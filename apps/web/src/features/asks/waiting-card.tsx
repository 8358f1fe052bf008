"use client"

import { actText } from "@docket/core/rule"
import type { PermissionRequest, Question } from "@docket/core/schema"
import { Hourglass } from "lucide-react"
import { type ReactNode, useEffect, useId } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useMe } from "../../shell/me.tsx"
import { TextWithCode } from "../../ui/text-with-code.tsx"
import styles from "./ask-card.module.css"
import type { RequestDescription } from "./describe-request.ts"
import { RequestBody } from "./leave/request-body.tsx"
import { PlanText } from "./plan/plan-text.tsx"

interface WaitingCardProps {
  request: PermissionRequest
  shown: RequestDescription
  /** Position among the open requests, e.g. "1 of 4"; null for a single request. */
  place: string | null
  /** The list of the other open requests. */
  children: ReactNode
}

/** A request for a user who may not answer it: what is asked, and that another user must answer. */
export function WaitingCard({ request, shown, place, children }: WaitingCardProps) {
  const announce = useAnnounce()
  const heading = useId()
  const words = headingOf(request, shown)
  useEffect(() => announce(`${words}. It waits for somebody who may answer.`), [announce, words])
  return (
    <section className={styles.card} aria-labelledby={heading} data-permission={request.id}>
      <header className={styles.head}>
        <h2 id={heading}>{words}</h2>
        {place === null ? null : <span className={styles.place}>{place}</span>}
      </header>
      {children}
      <Asked request={request} shown={shown} />
      <p className={styles.waits} title={useMe().whyNot("answer")}>
        <Hourglass size={14} aria-hidden />
        Waits for an answer by a member.
      </p>
    </section>
  )
}

function headingOf({ metadata }: PermissionRequest, shown: RequestDescription): string {
  if (metadata.kind === "plan") return "The plan is ready"
  return metadata.kind === "question" ? `${shown.agent} asks` : `${shown.agent} wants to ${actText(shown)}`
}

function Asked({ request, shown }: Pick<WaitingCardProps, "request" | "shown">) {
  const { metadata } = request
  if (metadata.kind === "plan") return <PlanText sessionID={request.sessionID} />
  if (metadata.kind !== "question") return <RequestBody shown={shown} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={styles.body} tabIndex={0} aria-label="Questions">
      {metadata.questions.map((question, index) => (
        <QuestionText key={`${question.header} ${String(index)}`} question={question} />
      ))}
    </section>
  )
}

function QuestionText({ question: { header, question, options } }: { question: Question }) {
  return (
    <div dir="auto">
      <p>
        <strong>{header}</strong> <TextWithCode text={question} />
      </p>
      {options.length === 0 ? null : (
        <ul className={styles.options}>
          {options.map(({ label, description }) => (
            <li key={label}>
              <TextWithCode text={description === "" ? label : `${label}: ${description}`} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
