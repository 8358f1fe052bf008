"use client"

import styles from "./person.module.css"
import { initials, personName } from "./person-words.ts"
import { usePeople } from "./use-people.ts"

/** A person as a mark of two letters. It is named by what stands beside it. */
export function Initials({ person, className = "" }: { person: string | undefined; className?: string | undefined }) {
  return (
    <span className={`${styles.initials} ${className}`} aria-hidden>
      {initials(person, usePeople())}
    </span>
  )
}

/** What a person is called, whatever their name is made of. */
export function PersonName({ person }: { person: string | undefined }) {
  const name = personName(person, usePeople())
  return (
    <bdi className={styles.name} title={name}>
      {name}
    </bdi>
  )
}
