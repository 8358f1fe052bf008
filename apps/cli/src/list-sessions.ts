import type { DocketClient } from "@docket/client"

/** The newest sessions as lines: id, status, project directory, title. */
export async function listSessions(client: DocketClient, limit: number): Promise<string[]> {
  const { items } = await client.session.list.query({ limit })
  return items.map(({ session, running, needsYou }) => {
    const state = needsYou > 0 ? "needs you" : running > 0 ? "running" : "idle"
    return [session.id, state.padEnd(9), session.directory, session.title].join("  ")
  })
}
