import { randomBytes } from "node:crypto"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { CreateId } from "../../ground/id/create-id.ts"
import { type Caller, type Session, type Share, type ShareInfo, ShareOptions } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { previewShare, type SharePreview } from "./preview-share.ts"
import type { ScanCache } from "./scan-cache.ts"
import { keyOf } from "./share-access.ts"
import { newSecret } from "./share-links.ts"
import { hashPassword } from "./share-password.ts"
import type { SharePublisher } from "./share-publisher.ts"
import { type ShareRecords, shareNotFound } from "./share-records.ts"
import { createShareScan } from "./share-scan.ts"
import type { PreviewQuery, ShareChoice } from "./share-service.ts"
import { treeSources } from "./tree-sources.ts"
import { createYield } from "./yield-to-event-loop.ts"

interface MakeShareDeps {
  store: Pick<Store, "session" | "transcript" | "todo" | "task">
  records: ShareRecords
  scans: Pick<ScanCache, "sourcesOf">
  publisher: Pick<SharePublisher, "catchUp">
  createID: CreateId
  clock: () => number
  /** Whether the configuration lets sessions of this tree be shared. */
  mayShare(session: Session): Promise<boolean>
}

/** 128 bits, as digests of one share are not to be known again in another. */
const keyBytes = 16

/** Shows what a share would publish. A share that is there names findings by a key that stays here. */
export async function preview(
  deps: Pick<MakeShareDeps, "store" | "records" | "scans">,
  { rootID }: Session,
  { left = [], key = newKey(), shareID }: PreviewQuery = {},
): Promise<SharePreview> {
  const draft = shareDraft(rootID, key, left)
  if (shareID === undefined) return look(deps, draft)
  const share = await deps.records.living(shareID)
  if (share.rootID !== rootID) throw shareNotFound(shareID)
  return { ...(await look(deps, { ...draft, id: shareID, digestKey: keyOf(share) })), key: "" }
}

/** @throws share_disabled; share_changed when more is found than was looked at */
export async function makeShare(
  deps: MakeShareDeps,
  session: Session,
  { by, reviewed, password, ...options }: ShareChoice & { by: Caller },
): Promise<{ share: ShareInfo; secret: string }> {
  if (!(await deps.mayShare(session))) throw disabled()
  const chosen = ShareOptions.parse(options)
  if (reviewed !== undefined) {
    const { findings } = await look(deps, shareDraft(session.rootID, reviewed.key, chosen.left))
    if (findings.some(({ digest }) => !reviewed.digests.includes(digest))) throw changedSince()
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
  // What it shows is there before anybody has the link; what a crash leaves undone, the first reader waits for.
  await deps.publisher.catchUp(share.id)
  return { share, secret }
}

async function look({ store, scans }: Pick<MakeShareDeps, "store" | "scans">, draft: Share): Promise<SharePreview> {
  const [sources, { list }] = await Promise.all([scans.sourcesOf(draft), treeSources(store, draft)])
  return previewShare(createShareScan(draft, sources), {
    key: keyOf(draft),
    sources: list,
    yieldToEventLoop: createYield(),
  })
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

function disabled(): DocketError {
  return new DocketError("share_disabled", 'Sharing is turned off: the configuration has "share": "disabled".')
}

function changedSince(): DocketError {
  return new DocketError(
    "share_changed",
    "The session says more since you looked. Look at what was found, then share it.",
  )
}
