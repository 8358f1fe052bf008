import type { Desk } from "./desk.ts"

/** Makes a session of 1,002 messages: 501 turns of a prompt and a short answer. */
export async function fillSession(desk: Desk): Promise<string> {
  const sessionID = await desk.createSession()
  for (let turn = 0; turn < 501; turn++) await desk.turn(sessionID, { chunks: 4 })
  return sessionID
}
