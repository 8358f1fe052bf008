import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { listStatus } from "@docket/core/work-status"
import { statusSign } from "../../ui/status.ts"

interface Titled {
  /** The session on screen. */
  session: Session | null
  /** All sessions of its tree. */
  tree: readonly Session[]
  /** Number of permission requests that wait for an answer. */
  requests: number
  /** Its work waits for a host. */
  isAway: boolean
}

/**
 * The tab title: the session's name, preceded by the number of pending requests or the same status mark as in lists.
 */
export function tabTitle({ session, tree, requests, isAway }: Titled, person: string): string {
  const root = tree.find(({ parentID }) => parentID === null)
  const running = tree.filter(({ status }) => status.type !== "idle").length
  const status = root === undefined ? null : listStatus({ session: root, running, needsYou: requests }, person, isAway)
  const sign = requests > 0 ? `(${requests}) ` : status === null ? "" : `${statusSign[status]} `
  return `${sign}${session ? shortTitle(session) : "Session"} · Docket`
}
