import type { Journal } from "../../ground/event/journal.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { PromptPart, Session, SessionNote } from "../../ground/schema/index.ts"
import type { Mutation, Store } from "../../ground/store/index.ts"

type NewNote = Omit<SessionNote, "id">

/**
 * Messages for an agent that works or will work in a session: it reads them before its next step. They are stored in
 * the session's row, so that any runtime may add some; only unread ones are held here.
 */
export interface SessionNotes {
  /** The agent can read the note at once. Resolves when it is stored, together with `more`. */
  add(session: Pick<Session, "id" | "rootID">, note: NewNote, more?: Mutation[]): Promise<void>
  /** The same for an agent in another runtime, which reads the note from the row. */
  leave(session: Pick<Session, "id" | "rootID">, note: NewNote, more?: Mutation[]): Promise<void>
  /** Receives the session's row when a turn begins or another runtime has stored it. */
  notified(session: Session): void
  /** Reads notes that other runtimes added for the session. */
  look(sessionID: string): Promise<void>
  /**
   * The unread notes, returned only once: all, those that need a step (`loud`), or the others (`quiet`). Commit
   * `notesRead` together with the messages that contain them.
   */
  take(sessionID: string, which?: "all" | "loud" | "quiet"): Promise<SessionNote[]>
  /** Whether the session has unread notes that need a step. */
  has(sessionID: string): boolean
}

interface Unread extends SessionNote {
  /** Settles with the write of the note. */
  stored: Promise<unknown>
  /** The note came from a row. When the row no longer has it, another runtime has read it. */
  isFromRow: boolean
}

interface SessionNotesDeps {
  store: Pick<Store, "session">
  journal: Journal
  createID: CreateId
  /** Whether other runtimes on the same store may add notes too. */
  isShared: boolean
}

export function createSessionNotes(deps: SessionNotesDeps): SessionNotes {
  const unread = new Map<string, Unread[]>()
  /** Notes read here, by session; their rows may still contain them. */
  const taken = new Map<string, Set<string>>()
  const setUnread = (sessionID: string, notes: Unread[]) => {
    if (notes.length === 0) unread.delete(sessionID)
    else unread.set(sessionID, notes)
  }
  const notified: SessionNotes["notified"] = ({ id, notes = [] }) => {
    const readHere = new Set(notes.flatMap((note) => (taken.get(id)?.has(note.id) ? [note.id] : [])))
    if (readHere.size === 0) taken.delete(id)
    else taken.set(id, readHere)
    const inRow = new Set(notes.map((note) => note.id))
    const stillUnread = (unread.get(id) ?? []).filter((note) => !note.isFromRow || inRow.has(note.id))
    const known = new Set([...readHere, ...stillUnread.map((note) => note.id)])
    const arrived = notes.filter((note) => !known.has(note.id))
    const fromRow = arrived.map((note) => ({ ...note, stored: Promise.resolve(), isFromRow: true }))
    setUnread(id, [...stillUnread, ...fromRow])
  }
  const store = ({ id, rootID }: Pick<Session, "id" | "rootID">, value: SessionNote, more: Mutation[] = []) =>
    deps.journal.commit(rootID, [...more, { kind: "session.note", sessionID: id, value }])
  return {
    notified,
    async leave(session, note, more) {
      await store(session, { ...note, id: deps.createID("part") }, more)
    },
    async look(sessionID) {
      const session = deps.isShared ? await deps.store.session.get(sessionID) : null
      if (session !== null) notified(session)
    },
    async add(session, note, more) {
      const { id } = session
      const earlier = unread.get(id) ?? []
      const last = earlier.at(-1)
      // A note with the same text as the last unread one is not added again.
      if (last?.text === note.text && more === undefined) return void (await last.stored)
      const value = { ...note, id: deps.createID("part") }
      const stored = store(session, value, more)
      setUnread(id, [...earlier, { ...value, stored, isFromRow: false }])
      await stored
    },
    async take(sessionID, which = "all") {
      const all = unread.get(sessionID) ?? []
      const notes = all.filter(({ quiet = false }) => which === "all" || quiet === (which === "quiet"))
      if (notes.length === 0) return []
      setUnread(
        sessionID,
        all.filter((note) => !notes.includes(note)),
      )
      const ids = notes.map((note) => note.id)
      taken.set(sessionID, new Set([...(taken.get(sessionID) ?? []), ...ids]))
      // A note whose write failed is dropped: its sender got the error.
      const outcomes = await Promise.allSettled(notes.map((note) => note.stored))
      return notes.flatMap(({ stored: _stored, isFromRow: _isFromRow, ...note }, index) =>
        outcomes[index]?.status === "fulfilled" ? [note] : [],
      )
    },
    has: (sessionID) => unread.get(sessionID)?.some((note) => note.quiet !== true) ?? false,
  }
}

/** Mutations that mark notes as read; empty for no notes. */
export function notesRead(sessionID: string, notes: SessionNote[]): Mutation[] {
  return notes.length === 0 ? [] : [{ kind: "session.notes.read", sessionID, ids: notes.map(({ id }) => id) }]
}

/** Notes as prompt parts for their agent. */
export function noteParts(notes: readonly SessionNote[]): NoteText[] {
  return notes.map(({ text, notice }) => ({ type: "text", text, synthetic: true, ...(notice && { notice }) }))
}

type NoteText = Omit<Extract<PromptPart, { type: "text" }>, "addedBy">
