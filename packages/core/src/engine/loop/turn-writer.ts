import { StaleTurnError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Journal } from "../../ground/event/journal.ts"
import type { Usage } from "../../ground/message/usage.ts"
import type { DocketEvent, Message, Part, Session, SessionNote, Turn } from "../../ground/schema/index.ts"
import type { Fence, Mutation, SessionPatch } from "../../ground/store/index.ts"
import type { ReviewNotice } from "../../records/review/review-messages.ts"
import type { Transcript } from "./transcript.ts"

/**
 * Writes of one running turn. Each changes the transcript in memory at once and goes to the journal in order. Every
 * method returns the promise of its commit. A caller need not await it: `settled` waits for all and throws the first
 * error.
 */
export interface TurnWriter {
  message(info: Message): Promise<void>
  part(part: Part, options?: { quiet: boolean }): Promise<void>
  removePart(part: Part): Promise<void>
  session(patch: SessionPatch): Promise<void>
  /** Adds the usage of a model call to the session's totals. */
  used(used: Usage): Promise<void>
  /** Ends a step, and adds its usage to the session's totals in the same commit. */
  stepFinish(part: StepFinishPart): Promise<void>
  /** Stores the turn's own row. */
  turn(value: Turn): Promise<void>
  /** Marks notes as read, in the same commit as the message that contains them. */
  notesRead(notes: SessionNote[]): Promise<void>
  /** Marks comments as read by the agent in this message. */
  commentsRead(notice: ReviewNotice, messageID: string): void
  delta(part: Part, offset: number, text: string): void
  settled(): Promise<void>
}

type StepFinishPart = Extract<Part, { type: "step-finish" }>

export interface TurnWriterDeps {
  journal: Journal
  bus: Bus
  session: Session
  transcript: Transcript
  fence: Fence
  /** That of the turn. Nothing is written any more once another runner has it or its tree. */
  signal: AbortSignal
  /** Another runner has the turn: nothing that this one does from now on counts. */
  onStale(error: StaleTurnError): void
}

export function createTurnWriter(deps: TurnWriterDeps): TurnWriter {
  const { session, transcript, fence } = deps
  let failure: { error: unknown } | null = null
  let last: Promise<unknown> = Promise.resolve()
  const write = (...mutations: Mutation[]): Promise<void> => {
    const { reason } = deps.signal
    const stored =
      reason instanceof StaleTurnError ? Promise.reject(reason) : deps.journal.commit(session.rootID, mutations, fence)
    const commit = stored.then(
      () => {},
      (error) => {
        failure ??= { error }
        if (error instanceof StaleTurnError) deps.onStale(error)
        throw error
      },
    )
    // Most callers do not await it: `settled` reports its error.
    commit.catch(() => {})
    last = commit
    return commit
  }
  return {
    message(info) {
      transcript.putMessage(info)
      return write({ kind: "message", value: info })
    },
    part(part, options) {
      transcript.putPart(part)
      return write({ kind: "part", value: part, ...(options?.quiet && { quiet: true }) })
    },
    removePart(part) {
      transcript.removePart(part.messageID, part.id)
      return write({ kind: "part.remove", sessionID: part.sessionID, messageID: part.messageID, partID: part.id })
    },
    session: (patch) => write({ kind: "session.patch", sessionID: session.id, patch }),
    used: (used) => write({ kind: "session.used", sessionID: session.id, used }),
    stepFinish(part) {
      transcript.putPart(part)
      const { tokens, cost } = part
      const used = { kind: "session.used", sessionID: session.id, used: { tokens, cost } } as const
      return write({ kind: "part", value: part }, used)
    },
    turn: (value) => write({ kind: "turn", value }),
    notesRead: (notes) => write({ kind: "session.notes.read", sessionID: session.id, ids: notes.map(({ id }) => id) }),
    commentsRead({ sendingID, comments }, messageID) {
      if (sendingID === null) return
      const change = { kind: "read", sendingID, messageID } as const
      for (const { id } of comments) void write({ kind: "comment.change", commentID: id, change })
    },
    delta(part, offset, text) {
      const event: DocketEvent = {
        type: "message.part.delta",
        rootID: session.rootID,
        seq: null,
        properties: { sessionID: session.id, messageID: part.messageID, partID: part.id, offset, text },
      }
      deps.bus.publish(event)
    },
    async settled() {
      await last.catch(() => {})
      if (failure !== null) throw failure.error
    },
  }
}
