import { randomBytes } from "node:crypto"
import { nodeTimers, type Timers } from "../concurrency/timers.ts"
import { DocketError } from "../error/docket-error.ts"
import type { Bus } from "../event/bus.ts"
import type { Follower } from "../event/follow-trees.ts"
import type { CreateId } from "../id/create-id.ts"
import { type Caller, type Session, Share, ShareOptions } from "../schema/index.ts"
import type { Store } from "../store/index.ts"
import { breather } from "./breather.ts"
import { previewShare } from "./preview-share.ts"
import { readSharedMessages, readSharedPart, readSharedTree } from "./read-copy.ts"
import { createScanCache, type ScanCacheDeps } from "./scan-cache.ts"
import { isLiving, keyOf } from "./share-access.ts"
import { createShareLinks, newSecret } from "./share-links.ts"
import { hashPassword } from "./share-password.ts"
import { createSharePublisher } from "./share-publisher.ts"
import { createShareScan } from "./share-scan.ts"
import { type PreviewQuery, type ShareFrame, type SharePatch, type ShareService, shareInfo } from "./share-service.ts"
import { createShareStreams } from "./share-stream.ts"
import { treeSources } from "./tree-sources.ts"

/** 128 bits, as digests of one share are not to be known again in another. */
const keyBytes = 16

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
  revokeAll(rootID: string | undefined, by: Caller): ReturnType<ShareService["revokeAll"]>
  preview(session: Session, of?: PreviewQuery): ReturnType<ShareService["preview"]>
}

export interface SharesDeps extends Omit<ScanCacheDeps, "store"> {
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
export function createShares(deps: SharesDeps): Shares {
  const { store, timers = nodeTimers } = deps
  const scans = createScanCache(deps)
  const publisher = createSharePublisher({
    store,
    scanOf: scans.scanOf,
    onPublished: (share, rows) => streams.published(share, rows),
  })
  const streams = createShareStreams({ ...deps, copies: store.shareCopy, publisher: () => publisher, timers })
  const put = async (row: Share) => {
    await store.share.put(row)
    const share = shareInfo(row)
    deps.bus.publish({ type: "share.updated", rootID: row.rootID, seq: null, properties: { share } })
    return share
  }
  const get = async (id: string): Promise<Share> => {
    const share = await store.share.get(id)
    if (share === null) throw notFound(id)
    return share
  }
  const living = async (id: string): Promise<Share> => {
    const share = await get(id)
    if (!isLiving(share, deps.clock())) throw notFound(id)
    return share
  }
  const edited = (by: Caller): Share["edited"] => ({ by, at: deps.clock() })
  const revoke = async (share: Share, by: Caller) => {
    if (share.time.revoked !== null) return shareInfo(share)
    const copy = await store.shareCopy.get(share.id)
    const seen = copy && { views: copy.views, viewed: copy.viewed }
    const time = { ...share.time, revoked: deps.clock() }
    const info = await put({ ...share, time, seen, edited: edited(by) })
    await store.shareCopy.remove(share.id)
    return info
  }
  const preview = async (rootID: string, key: string, left: readonly string[]) => {
    const draft = shareDraft(rootID, key, left)
    const [sources, { list }] = await Promise.all([scans.sourcesOf(rootID), treeSources(store, draft)])
    return previewShare(createShareScan(draft, sources), { key, sources: list, breathe: breather() })
  }
  return {
    async preview({ rootID }, { left = [], key = newKey(), shareID } = {}) {
      if (shareID === undefined) return preview(rootID, key, left)
      const share = await living(shareID)
      if (share.rootID !== rootID) throw notFound(shareID)
      // What a share that is there is keyed with stays here.
      return { ...(await preview(rootID, keyOf(share), left)), key: "" }
    },
    async create(session, { reviewed, password, ...options } = {}, by) {
      if (!(await deps.mayShare(session))) throw disabled()
      const chosen = ShareOptions.parse(options)
      if (reviewed !== undefined) {
        const { findings } = await preview(session.rootID, reviewed.key, chosen.left)
        if (findings.some(({ digest }) => !reviewed.digests.includes(digest))) throw changedSince()
      }
      const { secret, secretHash } = newSecret()
      const share: Share = {
        ...chosen,
        id: deps.createID("share"),
        rootID: session.rootID,
        secretHash,
        digestKey: reviewed?.key ?? newKey(),
        passwordHash: password ? await hashPassword(password) : null,
        by,
        edited: null,
        seen: null,
        time: { created: deps.clock(), revoked: null },
      }
      const info = await put(share)
      // What it shows is there before anybody has the link; what a crash leaves undone, the first reader waits for.
      await publisher.catchUp(share.id)
      return { share: info, secret }
    },
    async update(id, { password, ...patch }, by) {
      const share = await living(id)
      const isOther = patch.decisions !== undefined || patch.left !== undefined || patch.shows !== undefined
      if (share.mode === "frozen" && (isOther || patch.title !== undefined)) throw frozen()
      const passwordHash = password === undefined ? share.passwordHash : password && (await hashPassword(password))
      const info = await put(Share.parse({ ...share, ...patch, passwordHash, edited: edited(by) }))
      await publisher.catchUp(id)
      return info
    },
    async list(rootID) {
      return Promise.all(
        (await store.share.list(rootID)).map(async (share) => {
          const copy = await store.shareCopy.get(share.id)
          const hidden = copy === null ? {} : await store.shareCopy.hidden(share.id)
          const { views, viewed } = copy ?? share.seen ?? { views: 0, viewed: null }
          return { ...shareInfo(share), views, viewed, hidden }
        }),
      )
    },
    async relink(id, by) {
      const share = await living(id)
      const { secret, secretHash } = newSecret()
      // Older rows have their digests by the hash that goes.
      const digestKey = keyOf(share)
      return { share: await put({ ...share, secretHash, digestKey, edited: edited(by) }), secret }
    },
    revoke: async (id, by) => revoke(await get(id), by),
    async revokeAll(rootID, by) {
      const open = (await store.share.list(rootID)).filter(({ time }) => time.revoked === null)
      return Promise.all(open.map((share) => revoke(share, by)))
    },
    ...createShareLinks({ ...deps, timers }),
    copy: {
      visit: (id) => store.shareCopy.visit(id, deps.clock()),
      async tree(id) {
        const share = await living(id)
        const copy = await publisher.catchUp(id)
        if (copy === null) throw notFound(id)
        return readSharedTree(store.shareCopy, share, copy.seq)
      },
      async messages(id, query) {
        await living(id)
        const copy = await publisher.catchUp(id)
        const sessions = copy === null ? [] : await store.shareCopy.rows(id, ["session"])
        if (copy === null || !sessions.some((row) => row.id === query.sessionID)) throw notFound(id)
        return readSharedMessages(store.shareCopy, id, { ...query, seq: copy.seq })
      },
      async part(id, partID) {
        await living(id)
        if ((await publisher.catchUp(id)) === null) throw notFound(id)
        return readSharedPart(store.shareCopy, id, partID)
      },
      frame: async (id) => deps.frameOf((await living(id)).rootID),
      readers: (id) => streams.readers(id),
      follow: (id, since, signal) => streams.follow(() => living(id), since, signal),
    },
  }
}

/** A share that is not there yet, for its preview. */
function shareDraft(rootID: string, digestKey: string, left: readonly string[]): Share {
  const options = ShareOptions.parse({ left: [...left] })
  const time = { created: 0, revoked: null }
  return { ...options, id: "", rootID, secretHash: "", digestKey, passwordHash: null, edited: null, seen: null, time }
}

function newKey(): string {
  return randomBytes(keyBytes).toString("hex")
}

function notFound(id: string): DocketError {
  return new DocketError("share_not_found", `There is no share ${id}.`)
}

function disabled(): DocketError {
  return new DocketError("share_disabled", 'Sharing is turned off: the configuration has "share": "disabled".')
}

function changedSince(): DocketError {
  return new DocketError(
    "share_changed",
    "The session says more since you looked. Look at what was found, then share it.",
  )
}

function frozen(): DocketError {
  return new DocketError("invalid_input", "This share is frozen: make another one to show something else.")
}
