import type { Desk } from "./desk.ts"

/** Creates a session with a prompt and a short answer for each turn. */
export async function fillSession(desk: Desk, turns: number): Promise<string> {
  const sessionID = await desk.createSession()
  for (let turn = 0; turn < turns; turn++) await desk.turn(sessionID, { chunks: 4 })
  return sessionID
}
