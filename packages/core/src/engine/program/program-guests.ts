import type { ProgramSubagent } from "./agent-programs.ts"

/** The subagents of programs whose sessions have not begun yet, by their sessions. */
export interface ProgramGuests {
  put(sessionID: string, told: ProgramSubagent): void
  /** Null for a session that is no such subagent's, or has begun. */
  take(sessionID: string): ProgramSubagent | null
  /** Whether it waited until now. Then its session does not begin. */
  forget(told: ProgramSubagent): boolean
}

export function createProgramGuests(): ProgramGuests {
  const waiting = new Map<string, ProgramSubagent>()
  return {
    put: (sessionID, told) => void waiting.set(sessionID, told),
    take(sessionID) {
      const told = waiting.get(sessionID) ?? null
      waiting.delete(sessionID)
      return told
    },
    forget(told) {
      const [sessionID] = [...waiting].find(([, one]) => one === told) ?? []
      return sessionID !== undefined && waiting.delete(sessionID)
    },
  }
}
