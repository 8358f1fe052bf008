"use client"

import type { PermissionRequest, Question } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react"
import { useAnnounce } from "../../../shell/announcer.tsx"
import { useKeys } from "../../keyboard/use-keys.ts"
import styles from "../ask-card.module.css"
import type { RequestDescription } from "../describe-request.ts"
import { emptyDraft, optionOf, pressed } from "./question-draft.ts"
import { QuestionField } from "./question-field.tsx"
import { useAnswer } from "./use-answer.ts"

interface QuestionCardProps {
  request: PermissionRequest
  questions: readonly Question[]
  shown: RequestDescription
  /** Position among the open requests, e.g. "1 of 4"; null for a single request. */
  place: string | null
  /** The list of the other open requests. */
  children: ReactNode
}

const digits = Array.from({ length: 9 }, (_, index) => String(index + 1))

/** An agent's questions: each one with its options and an answer. */
export function QuestionCard({ request, questions, shown, place, children }: QuestionCardProps) {
  const { agent, path } = shown
  const announce = useAnnounce()
  const heading = useId()
  const body = useRef<HTMLElement>(null)
  const answer = useAnswer(request, questions)
  const sentence = `${agent} asks: ${questions.map(({ question }) => question).join(" ")}`
  useEffect(() => announce(`Question: ${sentence}`), [announce, sentence])
  const fields = () => [...(body.current?.querySelectorAll<HTMLElement>("[data-question]") ?? [])]
  const focus = (index: number) => fields()[index]?.querySelector("input")?.focus()
  /** Sends the answers, or moves to the first unanswered question. */
  const go = () => (answer.firstUnanswered < 0 ? answer.send() : focus(answer.firstUnanswered))
  const choose = (index: number, key: string) => {
    const question = questions[index]
    const label = question && optionOf(question, key)
    if (question && label) answer.change(index, pressed(question, answer.drafts[index] ?? emptyDraft, label))
  }
  const onInputKey = (event: ReactKeyboardEvent<HTMLElement>) => {
    const { target, key } = event
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey
    if (!(target instanceof HTMLInputElement) || hasModifier) return
    const index = fields().findIndex((field) => field.contains(target))
    // Esc must not discard typed text: it first leaves the field.
    const isTyped = target.type === "text" && target.value.trim() !== ""
    if (key === "Enter") go()
    else if (key === "Escape" && isTyped) body.current?.focus()
    else if (key === "Escape") answer.dismiss()
    else if (target.type !== "text" && digits.includes(key)) choose(index, key)
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const onKey = (act: () => void) => (event: KeyboardEvent) => {
    event.preventDefault()
    // A key held down must answer only one request.
    if (!event.repeat) act()
  }
  useKeys({
    "Alt+KeyY": onKey(go),
    "Alt+KeyN": onKey(answer.dismiss),
    // Digits answer the first unanswered question; when all are answered, they change the first one.
    ...Object.fromEntries(
      digits.map((digit) => [digit, onKey(() => choose(Math.max(0, answer.firstUnanswered), digit))]),
    ),
  })
  return (
    <section className={styles.card} aria-labelledby={heading} data-permission={request.id}>
      <header className={styles.head}>
        <h2 id={heading}>{agent} asks you</h2>
        {place === null ? null : <span className={styles.place}>{place}</span>}
      </header>
      {children}
      <section ref={body} className={styles.body} tabIndex={-1} aria-label="Questions" onKeyDown={onInputKey}>
        {path.length > 0 ? <p className={styles.from}>for the task {path.join(" › ")}</p> : null}
        {questions.map((question, index) => (
          <QuestionField
            key={`${question.header} ${String(index)}`}
            question={question}
            draft={answer.drafts[index] ?? emptyDraft}
            onChange={(draft) => answer.change(index, draft)}
          />
        ))}
      </section>
      <div className={styles.actions}>
        <Button variant="filled" aria-keyshortcuts="Alt+Y" disabled={answer.pending} onClick={go}>
          {questions.length === 1 ? "Answer" : "Send the answers"}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          aria-keyshortcuts="Alt+N"
          disabled={answer.pending}
          onClick={answer.dismiss}
        >
          Dismiss
        </Button>
        {answer.error ? (
          <p role="alert" className={styles.problem}>
            {answer.error.message}
          </p>
        ) : null}
      </div>
    </section>
  )
}
