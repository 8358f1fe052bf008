import type { Session } from "../schema/index.ts"
import type { Mutation } from "./port.ts"

export type SessionChange = Extract<Mutation, { kind: "session.patch" | "session.note" | "session.notes.read" }>

/** The session as a change leaves it. Of a patch, what is left out or undefined stays as it is. */
export function changedSession(session: Session, change: SessionChange): Session {
  switch (change.kind) {
    case "session.patch": {
      const fields = Object.entries(change.patch).filter(([, value]) => value !== undefined)
      return { ...session, ...Object.fromEntries(fields) }
    }
    case "session.note":
      return { ...session, notes: [...(session.notes ?? []), change.value] }
    case "session.notes.read":
      return { ...session, notes: (session.notes ?? []).filter(({ id }) => !change.ids.includes(id)) }
    default:
      return change satisfies never
  }
}
