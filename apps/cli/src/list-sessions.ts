import type { DocketClient } from "@docket/client"
import { localPerson } from "@docket/core/local-person"
import type { SessionListItem } from "@docket/core/store"
import { formatUsage } from "@docket/core/usage"
import { listStatus, type WorkStatus } from "@docket/core/work-status"
import { InvalidArgumentError } from "commander"

/** The most sessions that the service lists in one call. */
const maxSessions = 200

/** Reads `--limit`. @throws InvalidArgumentError */
export function parseLimit(given: string): number {
  const limit = Number(given)
  if (/^\d+$/.test(given) && limit >= 1 && limit <= maxSessions) return limit
  throw new InvalidArgumentError(`Give a number from 1 to ${maxSessions}.`)
}

/** The newest sessions as lines: id, status, project directory, usage of the whole tree, title. */
export async function listSessions(client: DocketClient, limit: number): Promise<string[]> {
  const { items } = await client.session.list.query({ limit })
  return items.map(sessionLine)
}

export function sessionLine(item: SessionListItem): string {
  const { session, treeTokens, treeCost } = item
  const status = listStatus(item, localPerson)
  const state = status === null ? "idle" : words[status]
  const used = formatUsage(treeTokens, treeCost) || "nothing used"
  return [session.id, state.padEnd(9), session.directory, used, session.title].join("  ")
}

const words: Record<WorkStatus, string> = {
  queued: "queued",
  running: "running",
  needs: "needs you",
  unread: "unread",
  done: "done",
  failed: "failed",
  stopped: "stopped",
}
