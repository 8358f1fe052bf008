"use client"

import { Initials } from "../../ui/person.tsx"
import { namesOf } from "../../ui/person-words.ts"
import styles from "./presence.module.css"
import { useOthers } from "./tree-presence.tsx"

/** Marks that a row has room for. */
const most = 2

/** Who else looks at a session, in a list of sessions; nothing when nobody does. */
export function ViewerMarks({ sessionID }: { sessionID: string }) {
  const people = useOthers().bySession.get(sessionID) ?? []
  if (people.length === 0) return null
  const words = `${namesOf(people.slice(0, 5), people.length - Math.min(5, people.length))} ${people.length === 1 ? "looks" : "look"} at it`
  return (
    <span className={styles.marks} title={words}>
      {people.slice(0, most).map((person) => (
        <Initials key={person} person={person} className={styles.small} />
      ))}
      {people.length > most ? <span aria-hidden>+{people.length - most}</span> : null}
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
