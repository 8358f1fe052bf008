import type { Session } from "../../ground/schema/index.ts"
import type { SessionStore } from "../../ground/store/index.ts"

/** A session and all above it, the nearest first. */
export async function lineOf(sessions: Pick<SessionStore, "get">, sessionID: string): Promise<Session[]> {
  const line: Session[] = []
  let next: string | null = sessionID
  while (next !== null) {
    const session: Session | null = await sessions.get(next)
    if (session === null) break
    line.push(session)
    next = session.parentID
  }
  return line
}
