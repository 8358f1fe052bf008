"use client"

import type { TaskAnswer, TaskSummary } from "@docket/core/schema"
import { Check, X } from "lucide-react"
import { formatCount } from "../../ui/format-count.ts"
import { Initials } from "../../ui/person.tsx"
import { usePeople } from "../../ui/use-people.ts"
import { answerLabel, answersOf } from "./answer-labels.ts"
import styles from "./answers.module.css"

/** Answers that let the call go on. */
const lettingOn: readonly TaskAnswer["status"][] = ["once", "always", "answered"]

/** The answered requests of a task, one per line. */
export function AnswerList({ task }: { task: Pick<TaskSummary, "moments"> }) {
  const people = usePeople()
  return (
    <ul className={styles.list}>
      {answersOf(task).map(({ at, answer }) => {
        const { by, who, asked } = answerLabel(answer, people)
        const Icon = lettingOn.includes(answer.status) ? Check : X
        return (
          <li key={`${at} ${asked}`} className={styles.answer}>
            <Icon size={12} aria-hidden />
            {by === null || people.alone ? null : <Initials person={by} small />}
            <span>{who}</span>
            <code title={asked}>{asked}</code>
          </li>
        )
      })}
    </ul>
  )
}

/** The number of answered requests; a press shows who answered what. Renders nothing for a task without requests. */
export function Answers({ task }: { task: Pick<TaskSummary, "moments"> }) {
  const count = answersOf(task).length
  if (count === 0) return null
  return (
    <details className={styles.answers}>
      <summary>{formatCount(count, "request")} answered</summary>
      <AnswerList task={task} />
    </details>
  )
}
