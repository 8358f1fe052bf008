import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Caller, Session } from "../../ground/schema/index.ts"

interface EditorsDeps {
  bus: Bus
  /** @throws session_not_found */
  sessionByID(id: string): Promise<Pick<Session, "rootID" | "by">>
  timers?: Timers
}

export interface EditorService {
  /**
   * Says what the caller's editor has of a file that `editor.asked` named: its text when that differs from the saved one,
   * else null. Answers false when nobody waits for it. @throws session_not_found
   */
  answer(sessionID: string, path: string, text: string | null): Promise<boolean>
}

/** The editors in which trees are open: they know the texts that are not saved. Nothing is stored. */
export interface Editors {
  as(caller: Caller): EditorService
  /**
   * The caller's editor is asked for the tree's files until the returned function is called. Only whoever began a tree says
   * what its agents read: the editors of others are not asked.
   */
  enter(rootID: string, caller: Caller): Promise<() => void>
  /** The text of a file in the editors of a tree; null when it is saved, or no editor answers. */
  unsavedText(rootID: string, path: string): Promise<string | null>
}

/** An editor that answers later than this (ms) has nothing to say. */
const patienceMs = 5_000

/** A question to all editors of a tree. */
interface Question {
  answer: Promise<string | null>
  resolve(text: string | null): void
  /** How many editors have not answered. */
  left: number
}

/** The editors of one person that have a tree open. */
interface Desk {
  person: string
  editors: number
  /** By path. */
  questions: Map<string, Question>
}

export function createEditors({ bus, sessionByID, timers = nodeTimers }: EditorsDeps): Editors {
  const desks = new Map<string, Desk>()

  /** One editor has no text for the question. */
  const pass = (question: Question) => {
    question.left -= 1
    if (question.left <= 0) question.resolve(null)
  }

  return {
    as: (caller) => ({
      async answer(sessionID, path, text) {
        const desk = desks.get((await sessionByID(sessionID)).rootID)
        const question = desk?.person === caller.person ? desk.questions.get(path) : undefined
        if (question === undefined) return false
        if (text === null) pass(question)
        else question.resolve(text)
        return true
      },
    }),
    async enter(rootID, caller) {
      const { by } = await sessionByID(rootID)
      if (by?.person !== caller.person) return () => {}
      const desk = desks.get(rootID) ?? { person: caller.person, editors: 0, questions: new Map<string, Question>() }
      desks.set(rootID, desk)
      desk.editors += 1
      return () => {
        desk.editors -= 1
        for (const question of desk.questions.values()) pass(question)
        if (desk.editors === 0) desks.delete(rootID)
      }
    },
    async unsavedText(rootID, path) {
      const desk = desks.get(rootID)
      if (desk === undefined) return null
      const asked = desk.questions.get(path)
      if (asked !== undefined) return asked.answer
      const { promise: answer, resolve } = Promise.withResolvers<string | null>()
      desk.questions.set(path, { answer, resolve, left: desk.editors })
      const stopTimer = timers.after(patienceMs, () => resolve(null))
      bus.publish({ type: "editor.asked", rootID, seq: null, properties: { path } })
      return answer.finally(() => {
        stopTimer()
        desk.questions.delete(path)
      })
    },
  }
}
