import { StaleTurnError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Fence, Journal } from "../../ground/event/journal.ts"
import type { Usage } from "../../ground/message/token-usage.ts"
import type { DocketEvent, Message, Part, Session, SessionNote, Turn } from "../../ground/schema/index.ts"
import type { Mutation, SessionPatch } from "../../ground/store/index.ts"
import type { ReviewNotice } from "../../records/review/review-messages.ts"
import type { Transcript } from "./transcript.ts"

/**
 * Writes of one running turn: each goes to the transcript in memory at once and to the journal in order.
 * Every method returns the promise of its commit, which a caller need not wait for: `settled` waits for all and throws
 * the first failure.
 */
export interface TurnWriter {
  message(info: Message): Promise<void>
  part(part: Part, options?: { quiet: boolean }): Promise<void>
  removePart(part: Part): Promise<void>
  session(patch: SessionPatch): Promise<void>
  /** Adds what a call of a model used to the session's sums. */
  used(used: Usage): Promise<void>
  /** Ends what a model said in a step. What it used is added to the session's sums in the same commit. */
  stepFinish(part: StepFinishPart): Promise<void>
  /** The turn's own record. */
  turn(value: Turn): Promise<void>
  /** The agent has read these: commits with the message that tells it. */
  notesRead(notes: SessionNote[]): Promise<void>
  /** The agent reads what was sent to it in this message. */
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
  /** Another runner has the turn: what this one does from now on is for nothing. */
  onStale(error: StaleTurnError): void
}

export function createTurnWriter(deps: TurnWriterDeps): TurnWriter {
  const { session, transcript, fence } = deps
  let failure: { error: unknown } | null = null
  let last: Promise<unknown> = Promise.resolve()
  const write = (...mutations: Mutation[]): Promise<void> => {
    const commit = deps.journal.commit(session.rootID, mutations, fence).then(
      () => {},
      (error) => {
        failure ??= { error }
        if (error instanceof StaleTurnError) deps.onStale(error)
        throw error
      },
    )
    // Most callers do not wait: `settled` reports for them.
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
