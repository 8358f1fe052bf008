import { Check } from "lucide-react"
import { Redactions } from "../../ui/redactions.tsx"
import type { ToolBody } from "./call-view.ts"
import styles from "./tools.module.css"

/** The agent's questions with their options and answers. No state: the share page renders it on the server. */
export function AskedQuestions({ questions, message, ended }: Extract<ToolBody, { kind: "questions" }>) {
  const isDismissed = ended && questions.every(({ answer }) => answer === null)
  return (
    <div className={styles.asked}>
      {questions.map(({ header, question, options, own, answer }, index) => (
        // Questions have no identity except their position.
        <section key={String(index)} aria-label={header}>
          <p>
            <Redactions text={question} />
          </p>
          <ul>
            {options.map(({ label, description, chosen }) => (
              <li key={label} data-chosen={chosen}>
                {chosen ? <Check size={14} aria-label="chosen" /> : <span aria-hidden>·</span>}
                <span>
                  <Redactions text={label} />
                  {description === "" ? null : (
                    <small>
                      <Redactions text={description} />
                    </small>
                  )}
                </span>
              </li>
            ))}
            {own === null ? null : (
              <li data-chosen>
                <Check size={14} aria-label="in own words" />
                <span>
                  “<Redactions text={own} />”
                </span>
              </li>
            )}
          </ul>
          {answer === "left out" ? <p className={styles.said}>Left to the agent.</p> : null}
        </section>
      ))}
      {message === null ? null : (
        <p className={styles.said}>
          Dismissed: “<Redactions text={message} />”
        </p>
      )}
      {message === null && isDismissed ? <p className={styles.said}>Dismissed without an answer.</p> : null}
    </div>
  )
}
