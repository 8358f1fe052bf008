import { idTime } from "../../ground/id/id-time.ts"
import type { Session } from "../../ground/schema/index.ts"
import type { SessionStore } from "../../ground/store/index.ts"
import type { Config } from "../../setup/config/schema.ts"
import type { Plug } from "../loop/hooks.ts"
import type { ChangeService } from "./change-service.ts"

export interface DescribeAtEndDeps {
  store: { session: Pick<SessionStore, "tree"> }
  changes: Pick<ChangeService, "list">
  sessionByID(id: string): Promise<Session>
  setupOf(session: Session): Promise<{ config: Config }>
  describe(sessionID: string): Promise<unknown>
}

/**
 * With `describe: "ended"`, a tree's changes are described when its root session and all below it are idle, if files
 * changed since the last description. Nobody waits for it, so a failure only shows in the service's log.
 */
export function describeAtEnd(deps: DescribeAtEndDeps): Pick<Plug, "turnEnded"> {
  return {
    async turnEnded(sessionID) {
      const root = await deps.sessionByID(sessionID)
      if (root.id !== root.rootID) return
      if ((await deps.setupOf(root)).config.describe !== "ended") return
      const tree = await deps.store.session.tree(root.id)
      if (tree.some(({ status }) => status.type !== "idle")) return
      const last = (await deps.changes.list(root.id)).changes.at(-1)
      const changedAt = last === undefined ? null : idTime(last.messageID)
      if (changedAt === null || changedAt <= (root.described?.at ?? 0)) return
      await deps.describe(root.id)
    },
  }
}
