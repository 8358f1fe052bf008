import type { Desk } from "./desk.ts"

/** Makes a session of two messages for each turn: a prompt and a short answer. */
export async function fillSession(desk: Desk, turns: number): Promise<string> {
  const sessionID = await desk.createSession()
  for (let turn = 0; turn < turns; turn++) await desk.turn(sessionID, { chunks: 4 })
  return sessionID
}
