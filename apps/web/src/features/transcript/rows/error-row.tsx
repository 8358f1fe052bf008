"use client"

import type { AssistantMessage, MessageError } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { foldText } from "../../../ui/fold-text.ts"
import { ByPerson } from "../../../ui/person.tsx"
import { TextWithCode } from "../../../ui/text-with-code.tsx"
import { ShowAll } from "../../tools/show-all.tsx"
import { askAgain } from "./ask-again.ts"
import { errorAdvice } from "./error-advice.ts"
import styles from "./rows.module.css"
import { useTranscriptActions } from "./transcript-actions.ts"

interface ErrorRowProps {
  message: AssistantMessage
  error: MessageError
  /** Nothing came after it, so a retry makes sense. */
  last: boolean
}

/** Some providers answer with a whole HTML page. */
const shownLines = { head: 8, tail: 0 }

/** Why an answer ended early and what to do about it. A stop by a user is a quiet line. */
export function ErrorRow({ message, error, last }: ErrorRowProps) {
  const { retry } = useTranscriptActions()
  const advice = errorAdvice(error)
  const nextPrompt = askAgain(error, message)
  const folded = foldText(error.message, shownLines)
  if (advice.quiet) {
    return (
      <p className={styles.stopped}>
        <span>{advice.title}</span>
        <ByPerson by={error.by} />
        {error.message.replace(/\.$/, "") === advice.title ? null : <span>{error.message}</span>}
      </p>
    )
  }
  return (
    <section className={styles.error} aria-label={advice.title}>
      <strong>{advice.title}</strong>
      <p>
        <TextWithCode text={folded?.head ?? error.message} />
      </p>
      {folded === null ? null : <ShowAll text={error.message} noun="message" />}
      {advice.action === null ? null : <p className={styles.advice}>{advice.action}</p>}
      {last && retry !== null ? <Button onClick={() => retry(nextPrompt.prompt)}>{nextPrompt.label}</Button> : null}
    </section>
  )
}
