"use client"

import styles from "./person.module.css"
import { initials, type Named, personInSentence, personName } from "./person-names.ts"
import { usePeople } from "./use-people.ts"

interface InitialsProps {
  person: Named
  /** What they are called, where that is known better than by the page. */
  name?: string
  /** Within a line of small text. */
  small?: boolean
  className?: string | undefined
}

/** A person as a mark of two letters. It is named by what stands beside it. */
export function Initials({ person, name, small = false, className = "" }: InitialsProps) {
  const people = usePeople()
  return (
    <span className={`${styles.initials} ${className}`} data-small={small} aria-hidden>
      {initials(person, name === undefined ? people : { ...people, nameOf: () => name })}
    </span>
  )
}

/** What a person is called, whatever their name is made of. */
export function PersonName({ person }: { person: Named }) {
  const name = personName(person, usePeople())
  return (
    <bdi className={styles.name} title={name}>
      {name}
    </bdi>
  )
}

/** A person within a line: their mark, where others have accounts too, and what they are called. */
export function Person({ person }: { person: Named }) {
  const { alone } = usePeople()
  return (
    <span className={styles.by}>
      {alone ? null : <Initials person={person} small />}
      <PersonName person={person} />
    </span>
  )
}

/** What somebody did, within a sentence: "allowed by Ada". */
export function DoneBy({ did, by }: { did: string; by: Named }) {
  const people = usePeople()
  return (
    <span className={styles.by}>
      {did} by {people.alone ? null : <Initials person={by} small />}{" "}
      <bdi className={styles.said}>{personInSentence(by, people)}</bdi>
    </span>
  )
}

/** Who did something, as the end of a line; nothing where nobody has an account. */
export function ByPerson({ by }: { by: Exclude<Named, string> }) {
  const { alone } = usePeople()
  if (!by || alone) return null
  return (
    <span className={styles.by}>
      by <Initials person={by} small /> <PersonName person={by} />
    </span>
  )
}
