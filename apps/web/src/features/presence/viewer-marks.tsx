"use client"

import { Initials } from "../../ui/person.tsx"
import { namesOf } from "../../ui/person-names.ts"
import { usePeople } from "../../ui/use-people.ts"
import styles from "./presence.module.css"
import { useOthers } from "./tree-presence.tsx"

/** Number of viewers that a row shows, and number of viewers that its label names. */
const most = { shown: 2, named: 5 }

/** Other viewers of a session, shown in a list of sessions; nothing when there are none. */
export function ViewerMarks({ sessionID }: { sessionID: string }) {
  const viewers = useOthers().bySession.get(sessionID) ?? []
  const people = usePeople()
  if (viewers.length === 0) return null
  const named = viewers.slice(0, most.named)
  const names = namesOf(named, people, viewers.length - named.length)
  const words = `${names} ${viewers.length === 1 ? "looks" : "look"} at it`
  return (
    <span className={styles.marks} title={words}>
      {viewers.slice(0, most.shown).map((viewer) => (
        <Initials key={viewer.person} person={viewer} small />
      ))}
      {viewers.length > most.shown ? <span aria-hidden>+{viewers.length - most.shown}</span> : null}
      <span className="visually-hidden">{words}</span>
    </span>
  )
}
