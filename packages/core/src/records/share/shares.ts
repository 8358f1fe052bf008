import { randomBytes } from "node:crypto"
import { nodeTimers, type Timers } from "../../ground/concurrency/timers.ts"
import { createYield } from "../../ground/concurrency/yield-to-event-loop.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Follower } from "../../ground/event/follow-trees.ts"
import type { Relay } from "../../ground/event/relay.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { hashesOf } from "../../ground/message/part-files.ts"
import {
  type Caller,
  type Message,
  type Part,
  type Session,
  Share,
  type ShareInfo,
  ShareOptions,
  type TaskSummary,
  type Todo,
} from "../../ground/schema/index.ts"
import type { ShareCopyStore, ShareRow, Store } from "../../ground/store/index.ts"
import type { KeptContent } from "../attachment/attachment-service.ts"
import { previewShare, type SharePreview } from "./preview-share.ts"
import type { LockedSession } from "./public-row.ts"
import { createScanCache, type ScanCache, type ScanCacheDeps } from "./scan-cache.ts"
import { isLiving, keyOf } from "./share-access.ts"
import { createShareHome, type ShareHome, type ShareHosts } from "./share-home.ts"
import { createShareLinks, newSecret } from "./share-links.ts"
import { hashPassword } from "./share-password.ts"
import { createSharePublisher } from "./share-publisher.ts"
import { createShareScan } from "./share-scan.ts"
import {
  type ListedShare,
  type PreviewQuery,
  type ShareChoice,
  type SharedMessages,
  type SharedPart,
  type SharedSessions,
  type ShareFrame,
  type SharePatch,
  type ShareService,
  shareInfo,
} from "./share-service.ts"
import { createShareStreams, type ShareStreams } from "./share-stream.ts"
import { treeSources } from "./tree-sources.ts"

/** Like the service, but for sessions that are already loaded. @throws share_not_found */
export type Shares = Omit<ShareService, "create" | "preview" | "update" | "relink" | "revoke" | "revokeAll"> & {
  close(): void
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
  /** A file of a tree; null when it is missing. */
  readFile(rootID: string, hash: string): Promise<KeptContent | null>
  store: Store
  bus: Bus
  follower: Pick<Follower, "follow">
  relay: Pick<Relay, "read">
  createID: CreateId
  frameOf(rootID: string): Promise<ShareFrame>
  /** Whether the configuration allows sharing sessions of this tree. */
  mayShare(session: Session): Promise<boolean>
  timers?: Timers
  onReader?: (rootID: string) => () => void
  /** The hosts of other runtimes; without it, all files are here. */
  hosts?: ShareHosts | undefined
  onError(error: unknown): void
}

/** The parts that shares are made and served with. */
interface ShareParts extends SharesDeps {
  timers: Timers
  scans: ScanCache
  publisher: ShareHome
  streams: ShareStreams
  records: ShareRecords
}

/**
 * Makes shares, keeps their copies up to date and serves them. Publishes `share.updated` when a link is made or
 * revoked.
 */
export function createShares(given: SharesDeps): Shares {
  const { store, timers = nodeTimers } = given
  const scans = createScanCache(given)
  const here = createSharePublisher({
    store,
    scanOf: scans.scanOf,
    onPublished(share, rows) {
      streams.published(share, rows)
      publisher.grown(share.id)
    },
  })
  const publisher = createShareHome({ ...given, hosts: given.hosts, timers, publisher: here })
  const streams = createShareStreams({ ...given, copies: store.shareCopy, home: () => publisher, timers })
  const records = createShareRecords(given)
  const deps: ShareParts = { ...given, timers, scans, publisher, streams, records }
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
    home: {
      refresh: async (id) => void (await here.catchUp(id)),
      frame: given.frameOf,
      file: ({ rootID, hash }) => given.readFile(rootID, hash),
    },
    close: publisher.close,
  }
}

async function listed(store: Pick<Store, "session" | "shareCopy">, share: Share): Promise<ListedShare> {
  const [session, copy] = await Promise.all([store.session.get(share.rootID), store.shareCopy.get(share.id)])
  const hidden = copy === null ? {} : await store.shareCopy.hidden(share.id)
  const { views, viewed } = copy ?? share.seen ?? { views: 0, viewed: null }
  return { ...shareInfo(share), sessionTitle: session?.title ?? "", views, viewed, hidden }
}

/** 128 bits, so that digests of one share cannot be recognised in another. */
const keyBytes = 16

/** Shows what a share would publish. For an existing share, the key of its findings is not returned. */
async function preview(
  deps: Pick<ShareParts, "store" | "records" | "scans">,
  { rootID }: Session,
  { left = [], key = newKey(), shareID }: PreviewQuery = {},
): Promise<SharePreview> {
  const draft = shareDraft(rootID, key, left)
  if (shareID === undefined) return scanDraft(deps, draft)
  const share = await deps.records.living(shareID)
  if (share.rootID !== rootID) throw shareNotFound(shareID)
  return { ...(await scanDraft(deps, { ...draft, id: shareID, digestKey: keyOf(share) })), key: "" }
}

/** @throws share_disabled; share_changed when there are findings that were not reviewed */
async function makeShare(
  deps: ShareParts,
  session: Session,
  { by, reviewed, password, ...options }: ShareChoice & { by: Caller },
): Promise<{ share: ShareInfo; secret: string }> {
  if (!(await deps.mayShare(session)))
    throw new DocketError("share_disabled", 'Sharing is turned off: the configuration has "share": "disabled".')
  const chosen = ShareOptions.parse(options)
  if (reviewed !== undefined) {
    const { findings } = await scanDraft(deps, shareDraft(session.rootID, reviewed.key, chosen.left))
    if (findings.some(({ digest }) => !reviewed.digests.includes(digest)))
      throw new DocketError(
        "share_changed",
        "There are findings that you have not seen yet. Look at them, then share the session.",
      )
  }
  const { secret, secretHash } = newSecret()
  const share = await deps.records.put({
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
  })
  // The copy is complete before anyone has the link; after a crash the first reader waits for it.
  await deps.publisher.catchUp(share.id)
  return { share, secret }
}

/** What a share with these options would publish, without storing anything. */
async function scanDraft({ store, scans }: Pick<ShareParts, "store" | "scans">, draft: Share): Promise<SharePreview> {
  const [sources, { list }] = await Promise.all([scans.sourcesOf(draft), treeSources(store, draft)])
  return previewShare(createShareScan(draft, sources), {
    key: keyOf(draft),
    sources: list,
    yieldToEventLoop: createYield(),
  })
}

/** A share that does not exist yet, for its preview. */
function shareDraft(rootID: string, digestKey: string, left: readonly string[]): Share {
  const options = ShareOptions.parse({ left: [...left] })
  const time = { created: 0, revoked: null }
  return { ...options, id: "", rootID, secretHash: "", digestKey, passwordHash: null, edited: null, seen: null, time }
}

function newKey(): string {
  return randomBytes(keyBytes).toString("hex")
}

/** Changes an existing share. @throws share_not_found; invalid_input for a change to what a frozen share shows */
async function updateShare(
  { records, publisher, clock }: ShareParts,
  id: string,
  { by, password, ...patch }: SharePatch & { by: Caller },
): Promise<ShareInfo> {
  const share = await records.living(id)
  const { decisions, left, shows, title } = patch
  const changesContent = [decisions, left, shows, title].some((value) => value !== undefined)
  if (share.mode === "frozen" && changesContent)
    throw new DocketError("invalid_input", "This share is frozen: make another one to show something else.")
  const passwordHash = password === undefined ? share.passwordHash : password && (await hashPassword(password))
  const info = await records.put(Share.parse({ ...share, ...patch, passwordHash, edited: { by, at: clock() } }))
  await publisher.catchUp(id)
  return info
}

/** Replaces the secret of a share. @throws share_not_found */
async function relinkShare(
  { records, clock }: ShareParts,
  id: string,
  by: Caller,
): Promise<{ share: ShareInfo; secret: string }> {
  const share = await records.living(id)
  const { secret, secretHash } = newSecret()
  // Older rows use the hash of the old secret as the key of their digests, so keep it.
  const digestKey = keyOf(share)
  return { share: await records.put({ ...share, secretHash, digestKey, edited: { by, at: clock() } }), secret }
}

/** Ends the share and deletes its copy; a share that has ended does not change. */
async function revokeShare({ store, records, clock }: ShareParts, share: Share, by: Caller): Promise<ShareInfo> {
  if (share.time.revoked !== null) return shareInfo(share)
  const copy = await store.shareCopy.get(share.id)
  const seen = copy && { views: copy.views, viewed: copy.viewed }
  const time = { ...share.time, revoked: clock() }
  const info = await records.put({ ...share, time, seen, edited: { by, at: clock() } })
  await store.shareCopy.remove(share.id)
  return info
}

/** Serves readers of a link from the copy, which is brought up to date before it is read. */
function createCopyReaders(deps: ShareParts): ShareService["copy"] {
  const { store, records, publisher, streams, clock, frameOf } = deps
  return {
    visit: (id) => store.shareCopy.visit(id, clock()),
    async tree(id) {
      const share = await records.living(id)
      const copy = await publisher.catchUp(id)
      if (copy === null) throw shareNotFound(id)
      return readSharedTree(store.shareCopy, share, copy.seq)
    },
    async messages(id, query) {
      await records.living(id)
      const copy = await publisher.catchUp(id)
      const sessions = copy === null ? [] : await store.shareCopy.rows(id, ["session"])
      if (copy === null || !sessions.some((row) => row.id === query.sessionID)) throw shareNotFound(id)
      return readSharedMessages(store.shareCopy, id, { ...query, seq: copy.seq })
    },
    async part(id, partID) {
      await records.living(id)
      if ((await publisher.catchUp(id)) === null) throw shareNotFound(id)
      return readSharedPart(store.shareCopy, id, partID)
    },
    async file(id, { partID, hash }) {
      const share = await records.living(id)
      if ((await publisher.catchUp(id)) === null) throw shareNotFound(id)
      const shown = await readSharedPart(store.shareCopy, id, partID)
      return shown !== null && hashesOf(shown.part).includes(hash) ? deps.readFile(share.rootID, hash) : null
    },
    frame: async (id) => frameOf((await records.living(id)).rootID),
    readers: (id) => streams.readers(id),
    follow: (id, since, signal) => streams.follow(() => records.living(id), since, signal),
  }
}

/** Messages in a page: by default, and at most. */
const pageSize = { default: 50, max: 2_000 }

/** The tree from the copy. Its rows were made from these types. */
async function readSharedTree(copies: ShareCopyStore, share: Share, seq: number): Promise<SharedSessions> {
  const rows = await copies.rows(share.id, ["session", "locked", "todos", "task"])
  const of = <T>(kind: ShareRow["kind"]) =>
    rows.filter((row) => row.kind === kind).map(({ data }) => JSON.parse(data) as T)
  const sessions = of<Session>("session").sort(byCreation)
  const locked = of<LockedSession>("locked")
  const lists = of<{ sessionID: string; todos: Todo[] }>("todos")
  const tasks = of<TaskSummary>("task").sort((left, right) => left.number - right.number)
  const todos = Object.fromEntries(lists.map(({ sessionID, todos }) => [sessionID, todos]))
  return { seq, sessions, locked, todos, tasks }
}

type Query = Parameters<ShareService["copy"]["messages"]>[1]

async function readSharedMessages(
  copies: ShareCopyStore,
  shareID: string,
  { seq, ...query }: Query & { seq: number },
): Promise<SharedMessages> {
  const limit = Math.min(query.limit ?? pageSize.default, pageSize.max)
  const page = await copies.page(shareID, { ...query, limit })
  const parts = Map.groupBy(page.parts, ({ messageID }) => messageID)
  const items = page.messages.map((row) => ({
    info: JSON.parse(row.data) as Message,
    parts: (parts.get(row.id) ?? []).map(({ data }) => JSON.parse(data) as Part),
  }))
  return { items, before: page.before, after: page.after, seq }
}

async function readSharedPart(copies: ShareCopyStore, shareID: string, id: string): Promise<SharedPart | null> {
  const row = await copies.part(shareID, id)
  if (row === null) return null
  const part = JSON.parse(row.data) as Part
  return { part, sessionID: part.sessionID }
}

/** Root first, then by creation. */
function byCreation(left: Session, right: Session): number {
  return left.depth === 0
    ? -1
    : right.depth === 0
      ? 1
      : left.time.created - right.time.created || (left.id < right.id ? -1 : 1)
}

/** Reads and writes rows of shares. */
interface ShareRecords {
  /** Stores the row and publishes `share.updated`. */
  put(row: Share): Promise<ShareInfo>
  /** @throws share_not_found */
  get(id: string): Promise<Share>
  /** A share that can still be opened. @throws share_not_found */
  living(id: string): Promise<Share>
}

interface ShareRecordsDeps {
  store: Pick<Store, "share">
  bus: Pick<Bus, "publish">
  clock: () => number
}

function createShareRecords({ store, bus, clock }: ShareRecordsDeps): ShareRecords {
  const get = async (id: string): Promise<Share> => {
    const share = await store.share.get(id)
    if (share === null) throw shareNotFound(id)
    return share
  }
  return {
    get,
    async put(row) {
      await store.share.put(row)
      const share = shareInfo(row)
      bus.publish({ type: "share.updated", rootID: row.rootID, seq: null, properties: { share } })
      return share
    },
    async living(id) {
      const share = await get(id)
      if (!isLiving(share, clock())) throw shareNotFound(id)
      return share
    },
  }
}

function shareNotFound(id: string): DocketError {
  return new DocketError("share_not_found", `There is no share ${id}.`)
}
