import type { Session, Turn } from "../../ground/schema/index.ts"
import type { Transcript } from "./transcript.ts"

/** Transcripts of sessions that ran lately, so that a long one is not read again for each turn. */
export interface TranscriptCache {
  /** As the last turn here left it, if the row of the session names no later writer. */
  get(session: Session): Transcript | undefined
  /** Keeps what `turn` writes. */
  set(turn: Turn, transcript: Transcript): void
  delete(sessionID: string): void
}

/** Keeps the transcripts of the `size` sessions that ran last. */
export function createTranscriptCache(size: number): TranscriptCache {
  const held = new Map<string, { transcript: Transcript; turn: Turn }>()
  return {
    get({ id, writtenBy }) {
      const { transcript, turn } = held.get(id) ?? {}
      return turn !== undefined && writtenBy?.turnID === turn.id && writtenBy.epoch === turn.epoch
        ? transcript
        : undefined
    },
    set(turn, transcript) {
      held.delete(turn.sessionID)
      held.set(turn.sessionID, { transcript, turn })
      const oldest = held.keys().next()
      if (held.size > size && !oldest.done) held.delete(oldest.value)
    },
    delete: (sessionID) => {
      held.delete(sessionID)
    },
  }
}
