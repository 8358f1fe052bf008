import { listMark } from "@docket/core/marks"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { statusSign } from "../../ui/status.ts"

interface Titled {
  /** On screen. */
  session: Session | null
  /** All of its tree. */
  tree: readonly Session[]
  requests: number
}

/** What a tab says of its tree, as lists do, before the name of the session: how many requests wait, or the mark. */
export function tabTitle({ session, tree, requests }: Titled, person: string): string {
  const root = tree.find(({ parentID }) => parentID === null)
  const running = tree.filter(({ status }) => status.type !== "idle").length
  const mark = root === undefined ? null : listMark({ session: root, running, needsYou: requests }, person)
  const sign = requests > 0 ? `(${requests}) ` : mark === null ? "" : `${statusSign[mark]} `
  return `${sign}${session ? shortTitle(session) : "Session"} · Docket`
}
