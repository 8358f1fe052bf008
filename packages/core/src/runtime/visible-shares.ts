import type { ShareInfo } from "../ground/schema/index.ts"
import type { CallerServices } from "./caller-services.ts"
import type { Sight } from "./sight.ts"

/** Links of trees, as far as the caller sees them. Each use case is named: a new one does not compile here. */
export function visibleShares({ share }: Pick<CallerServices, "share">, sight: Sight): Pick<CallerServices, "share"> {
  const checked =
    (kind: "session" | "share") =>
    async <T>(id: string | undefined, work: () => Promise<T>): Promise<T> => {
      if (id !== undefined) await sight.check(kind, id)
      return work()
    }
  const [inSession, ofShare] = [checked("session"), checked("share")]
  return {
    share: {
      preview: (rootID, query) => inSession(rootID, () => ofShare(query?.shareID, () => share.preview(rootID, query))),
      create: (rootID, choice) => inSession(rootID, () => share.create(rootID, choice)),
      get: (id) => ofShare(id, () => share.get(id)),
      update: (id, patch) => ofShare(id, () => share.update(id, patch)),
      async list(rootID) {
        const trees = await sight.hidden()
        const listed = await inSession(rootID, () => share.list(rootID))
        return listed.filter((one) => !trees.has(one.rootID))
      },
      relink: (id) => ofShare(id, () => share.relink(id)),
      revoke: (id) => ofShare(id, () => share.revoke(id)),
      async revokeAll(rootID, madeBy) {
        const trees = await sight.hidden()
        if (rootID !== undefined || trees.isEmpty) return inSession(rootID, () => share.revokeAll(rootID, madeBy))
        const isMeant = ({ by, time }: ShareInfo) =>
          time.revoked === null && (madeBy === undefined || by?.person === madeBy)
        const seen = (await share.list()).filter((one) => isMeant(one) && !trees.has(one.rootID))
        return Promise.all(seen.map(({ id }) => share.revoke(id)))
      },
      // Whoever has a link sees its copy, whoever they are.
      resolve: share.resolve,
      unlock: share.unlock,
      ended: share.ended,
      copy: share.copy,
    },
  }
}
