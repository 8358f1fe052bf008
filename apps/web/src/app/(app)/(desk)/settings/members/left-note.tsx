"use client"

import { offboardingMessages } from "@docket/core/offboarding-messages"
import { Button } from "@mantine/core"
import shown from "../shown-once.module.css"
import styles from "./members.module.css"

/** What became of what somebody left or had begun. */
export interface LeftOf {
  /** What was just made of them: "Ben is removed". */
  title: string
  /** Null when that is not known. */
  left: Parameters<typeof offboardingMessages>[0] | null
}

/** Says it until the reader has read it. */
export function LeftNote({ of: { title, left }, onDone }: { of: LeftOf; onDone(): void }) {
  const words = left === null ? [] : offboardingMessages(left)
  return (
    <section className={shown.place} aria-label={title}>
      <div className={styles.left}>
        <h2>{title}</h2>
        <Button onClick={onDone}>Done</Button>
      </div>
      {words.length === 0 ? (
        <p className={shown.hint}>
          {left === null ? "What they left is not known." : "Nothing of theirs waited or ran."}
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
