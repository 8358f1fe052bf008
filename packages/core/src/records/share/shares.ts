import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Follower } from "../../ground/event/follow-trees.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import type { Caller, Session, Share } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { relinkShare, revokeShare, updateShare } from "./change-share.ts"
import { createCopyReaders } from "./copy-readers.ts"
import { makeShare, preview } from "./make-share.ts"
import { createScanCache, type ScanCacheDeps } from "./scan-cache.ts"
import { createShareLinks } from "./share-links.ts"
import { createSharePublisher } from "./share-publisher.ts"
import { createShareRecords } from "./share-records.ts"
import {
  type ListedShare,
  type PreviewQuery,
  type ShareFrame,
  type SharePatch,
  type ShareService,
  shareInfo,
} from "./share-service.ts"
import { createShareStreams } from "./share-stream.ts"

/** As the service has it, for sessions that are known. @throws share_not_found */
export type Shares = Omit<ShareService, "create" | "preview" | "update" | "relink" | "revoke" | "revokeAll"> & {
  create(
    session: Session,
    choice: Parameters<ShareService["create"]>[1],
    by: Caller,
  ): ReturnType<ShareService["create"]>
  update(id: string, patch: SharePatch, by: Caller): ReturnType<ShareService["update"]>
  relink(id: string, by: Caller): ReturnType<ShareService["relink"]>
  revoke(id: string, by: Caller): ReturnType<ShareService["revoke"]>
  revokeAll(
    of: { rootID?: string | undefined; madeBy?: string | undefined },
    by: Caller,
  ): ReturnType<ShareService["revokeAll"]>
  preview(session: Session, of?: PreviewQuery): ReturnType<ShareService["preview"]>
}

interface SharesDeps extends Omit<ScanCacheDeps, "store"> {
  store: Store
  bus: Bus
  follower: Pick<Follower, "follow">
  createID: CreateId
  frameOf(rootID: string): Promise<ShareFrame>
  /** Whether the configuration lets sessions of this tree be shared. */
  mayShare(session: Session): Promise<boolean>
  timers?: Timers
  onReader?: (rootID: string) => () => void
  onError(error: unknown): void
}

/** Makes shares, keeps their copies and serves these. Publishes `share.updated` when a link was made or revoked. */
export function createShares(given: SharesDeps): Shares {
  const { store, timers = nodeTimers } = given
  const scans = createScanCache(given)
  const publisher = createSharePublisher({
    store,
    scanOf: scans.scanOf,
    onPublished: (share, rows) => streams.published(share, rows),
  })
  const streams = createShareStreams({ ...given, copies: store.shareCopy, publisher: () => publisher, timers })
  const records = createShareRecords(given)
  const deps = { ...given, timers, scans, publisher, streams, records }
  return {
    preview: (session, of) => preview(deps, session, of),
    create: (session, choice, by) => makeShare(deps, session, { ...choice, by }),
    update: (id, patch, by) => updateShare(deps, id, { ...patch, by }),
    relink: (id, by) => relinkShare(deps, id, by),
    revoke: async (id, by) => revokeShare(deps, await records.get(id), by),
    get: async (id) => shareInfo(await records.get(id)),
    async revokeAll({ rootID, madeBy }, by) {
      const open = (await store.share.list(rootID)).filter(
        (share) => share.time.revoked === null && (madeBy === undefined || share.by?.person === madeBy),
      )
      return Promise.all(open.map((share) => revokeShare(deps, share, by)))
    },
    async list(rootID) {
      return Promise.all((await store.share.list(rootID)).map((share) => listed(store, share)))
    },
    ...createShareLinks(deps),
    copy: createCopyReaders(deps),
  }
}

async function listed(store: Pick<Store, "session" | "shareCopy">, share: Share): Promise<ListedShare> {
  const [session, copy] = await Promise.all([store.session.get(share.rootID), store.shareCopy.get(share.id)])
  const hidden = copy === null ? {} : await store.shareCopy.hidden(share.id)
  const { views, viewed } = copy ?? share.seen ?? { views: 0, viewed: null }
  return { ...shareInfo(share), sessionTitle: session?.title ?? "", views, viewed, hidden }
}
