/**
 * Words for an agent that works or will work in a session: it reads them at its next step. Used for
 * messages to running children and for what a person changed meanwhile.
 */
export interface SessionNotes {
  add(sessionID: string, text: string): void
  /** All notes of the session, once. */
  take(sessionID: string): string[]
  has(sessionID: string): boolean
}

export function createSessionNotes(): SessionNotes {
  const notes = new Map<string, string[]>()
  return {
    add(sessionID, text) {
      const held = notes.get(sessionID) ?? []
      // The same words twice say nothing new.
      if (held.at(-1) !== text) held.push(text)
      notes.set(sessionID, held)
    },
    take(sessionID) {
      const held = notes.get(sessionID) ?? []
      notes.delete(sessionID)
      return held
    },
    has: (sessionID) => notes.has(sessionID),
  }
}
