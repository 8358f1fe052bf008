"use client"

import styles from "./person.module.css"
import { initials, type Named, personName } from "./person-words.ts"
import { usePeople } from "./use-people.ts"

interface InitialsProps {
  person: Named
  /** What they are called, where that is known better than by the page. */
  name?: string
  className?: string | undefined
}

/** A person as a mark of two letters. It is named by what stands beside it. */
export function Initials({ person, name, className = "" }: InitialsProps) {
  const people = usePeople()
  return (
    <span className={`${styles.initials} ${className}`} aria-hidden>
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

/** Who did something, as the end of a line; nothing where nobody has an account. */
export function ByPerson({ by }: { by: Exclude<Named, string> }) {
  const { alone } = usePeople()
  if (!by || alone) return null
  return (
    <span className={styles.by}>
      by <Initials person={by} className={styles.small ?? ""} /> <PersonName person={by} />
    </span>
  )
}
