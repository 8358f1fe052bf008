"use client"

import styles from "./person.module.css"
import { initials, type Named, personInSentence, personName } from "./person-names.ts"
import { usePeople } from "./use-people.ts"

interface InitialsProps {
  person: Named
  /** The name, if the caller knows it better than the page. */
  name?: string
  /** Smaller, for a line of small text. */
  small?: boolean
  className?: string | undefined
}

/** A user's initials. Decorative: the name must stand beside it. */
export function Initials({ person, name, small = false, className = "" }: InitialsProps) {
  const people = usePeople()
  return (
    <span className={`${styles.initials} ${className}`} data-small={small} aria-hidden>
      {initials(person, name === undefined ? people : { ...people, nameOf: () => name })}
    </span>
  )
}

/** A user's name, isolated from the text direction around it. */
export function PersonName({ person }: { person: Named }) {
  const name = personName(person, usePeople())
  return (
    <bdi className={styles.name} title={name}>
      {name}
    </bdi>
  )
}

/** A user in a line: initials (only where others have accounts) and name. */
export function Person({ person }: { person: Named }) {
  const { alone } = usePeople()
  return (
    <span className={styles.by}>
      {alone ? null : <Initials person={person} small />}
      <PersonName person={person} />
    </span>
  )
}

/** An action with its user, inside a sentence: "allowed by Ada". */
export function DoneBy({ did, by }: { did: string; by: Named }) {
  const people = usePeople()
  return (
    <span className={styles.by}>
      {did} by {people.alone ? null : <Initials person={by} small />}{" "}
      <bdi className={styles.said}>{personInSentence(by, people)}</bdi>
    </span>
  )
}

/** The user of an action at the end of a line; renders nothing without accounts. */
export function ByPerson({ by }: { by: Exclude<Named, string> }) {
  const { alone } = usePeople()
  if (!by || alone) return null
  return (
    <span className={styles.by}>
      by <Initials person={by} small /> <PersonName person={by} />
    </span>
  )
}
