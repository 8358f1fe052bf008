"use client"

import { offboardingMessages } from "@docket/core/offboarding-messages"
import { Button } from "@mantine/core"
import shown from "../shown-once.module.css"
import styles from "./members.module.css"

/** The result of an offboarding or a role change: what happened to the member's work. */
export interface OffboardingResult {
  /** The change as a title: "Ben is removed". */
  title: string
  /** What became of the member's work; null when unknown. */
  outcome: Parameters<typeof offboardingMessages>[0] | null
}

/** Shows the result until the user closes it. */
export function LeftNote({ result: { title, outcome }, onDone }: { result: OffboardingResult; onDone(): void }) {
  const words = outcome === null ? [] : offboardingMessages(outcome)
  return (
    <section className={shown.place} aria-label={title}>
      <div className={styles.left}>
        <h2>{title}</h2>
        <Button onClick={onDone}>Done</Button>
      </div>
      {words.length === 0 ? (
        <p className={shown.hint}>
          {outcome === null ? "What they left is not known." : "Nothing of theirs waited or ran."}
        </p>
      ) : (
        <ul className={styles.leftList} aria-label="What they left">
          {words.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      )}
    </section>
  )
}
