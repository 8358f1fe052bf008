import type { Transcript } from "./transcript.ts"

export interface TranscriptCache {
  get(sessionID: string): Transcript | undefined
  set(sessionID: string, transcript: Transcript): void
  delete(sessionID: string): void
}

/** Keeps the transcripts of the `size` sessions that ran last. */
export function createTranscriptCache(size: number): TranscriptCache {
  const held = new Map<string, Transcript>()
  return {
    get: (sessionID) => held.get(sessionID),
    set(sessionID, transcript) {
      held.delete(sessionID)
      held.set(sessionID, transcript)
      const oldest = held.keys().next()
      if (held.size > size && !oldest.done) held.delete(oldest.value)
    },
    delete: (sessionID) => {
      held.delete(sessionID)
    },
  }
}
