import type { DocketClient } from "@docket/client"
import { InvalidArgumentError } from "commander"

/** What the service lists at once. */
const most = 200

/** Reads `--limit`. @throws InvalidArgumentError */
export function parseLimit(given: string): number {
  const limit = Number(given)
  if (/^\d+$/.test(given) && limit >= 1 && limit <= most) return limit
  throw new InvalidArgumentError(`Give a number from 1 to ${most}.`)
}

/** The newest sessions as lines: id, status, project directory, title. */
export async function listSessions(client: DocketClient, limit: number): Promise<string[]> {
  const { items } = await client.session.list.query({ limit })
  return items.map(({ session, running, needsYou }) => {
    const state = needsYou > 0 ? "needs you" : running > 0 ? "running" : "idle"
    return [session.id, state.padEnd(9), session.directory, session.title].join("  ")
  })
}
