import { localPerson } from "@docket/core/local-person"
import { visibleText } from "@docket/core/rule"
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

/**
 * A session on a line: id, status, project directory, usage of the whole tree, title. `awaited`: the root sessions that
 * wait for a host.
 */
export function sessionLine(item: SessionListItem, awaited: { has(rootID: string): boolean }): string {
  const { session, treeTokens, treeCost } = item
  const status = listStatus(item, localPerson, awaited.has(session.id))
  const state = statusWord(status)
  const used = formatUsage(treeTokens, treeCost) || "nothing used"
  return visibleText([session.id, state.padEnd(9), session.directory, used, session.title].join("  "))
}

/** The word for a status; `null` is that of a session that rests. */
export function statusWord(status: WorkStatus | null): string {
  return status === null ? "idle" : words[status]
}

const words: Record<WorkStatus, string> = {
  queued: "queued",
  running: "running",
  needs: "needs you",
  away: "host away",
  unread: "unread",
  done: "done",
  failed: "failed",
  stopped: "stopped",
}
