import { addUsage } from "../message/token-usage.ts"
import type { Session } from "../schema/index.ts"
import type { Mutation } from "./port/index.ts"

export type SessionChange = Extract<
  Mutation,
  { kind: "session.patch" | "session.note" | "session.notes.read" | "session.used" | "session.read" }
>

/** Whether a mutation changes a session that is there. */
export function isSessionChange(mutation: Mutation): mutation is SessionChange {
  switch (mutation.kind) {
    case "session.patch":
    case "session.note":
    case "session.notes.read":
    case "session.used":
    case "session.read":
      return true
    default:
      return false
  }
}

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
    case "session.used":
      return { ...session, ...addUsage(session, change.used) }
    case "session.read": {
      const { person, at } = change
      return { ...session, read: { ...session.read, [person]: Math.max(at, session.read?.[person] ?? 0) } }
    }
    default:
      return change satisfies never
  }
}
