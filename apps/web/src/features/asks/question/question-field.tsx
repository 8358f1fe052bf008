import type { Question } from "@docket/core/schema"
import { TextInput } from "@mantine/core"
import { useId } from "react"
import { Choice } from "../../../ui/choice.tsx"
import { Kbd } from "../../../ui/kbd.tsx"
import { TextWithCode } from "../../../ui/text-with-code.tsx"
import styles from "./question-card.module.css"
import { type AnswerDraft, pressed, written } from "./question-draft.ts"

interface QuestionFieldProps {
  question: Question
  draft: AnswerDraft
  onChange: (draft: AnswerDraft) => void
}

/** One question with its options and a field for a typed answer. */
export function QuestionField({ question, draft, onChange }: QuestionFieldProps) {
  const { header, options, multiple } = question
  const name = useId()
  return (
    <fieldset className={styles.question} data-question>
      <legend dir="auto">
        <span className={styles.header}>{header}</span> <TextWithCode text={question.question} />
      </legend>
      {multiple ? <p className={styles.hint}>Choose as many as you like.</p> : null}
      {options.map(({ label, description }, index) => (
        <label key={label} className={styles.option} dir="auto">
          <input
            type={multiple ? "checkbox" : "radio"}
            name={name}
            checked={draft.choices.includes(label)}
            onChange={() => onChange(pressed(question, draft, label))}
          />
          <span className={styles.words}>
            <Choice name={label} hint={description} />
          </span>
          {index < 9 ? <Kbd>{String(index + 1)}</Kbd> : null}
        </label>
      ))}
      <TextInput
        className={styles.own ?? ""}
        aria-label={`Your own answer: ${header}`}
        placeholder={options.length === 0 ? "Your answer" : "Or your own answer"}
        maxLength={10_000}
        value={draft.own}
        onChange={(event) => onChange(written(question, draft, event.currentTarget.value))}
      />
    </fieldset>
  )
}
