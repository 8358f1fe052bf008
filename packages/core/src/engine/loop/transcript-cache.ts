import type { Session, Turn } from "../../ground/schema/index.ts"
import type { Transcript } from "./transcript.ts"

/** Transcripts of sessions that ran recently, so that a long one is not read again for each turn. */
export interface TranscriptCache {
  /** The transcript after the last turn here, unless the session's row names a later writer. */
  get(session: Session): Transcript | undefined
  /** Caches the transcript that `turn` writes. */
  set(turn: Turn, transcript: Transcript): void
  delete(sessionID: string): void
}

/** Caches the transcripts of the `size` sessions that ran last. */
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
