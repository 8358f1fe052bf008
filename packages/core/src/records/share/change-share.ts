import { DocketError } from "../../ground/error/docket-error.ts"
import { type Caller, Share, type ShareInfo } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { keyOf } from "./share-access.ts"
import { newSecret } from "./share-links.ts"
import { hashPassword } from "./share-password.ts"
import type { SharePublisher } from "./share-publisher.ts"
import type { ShareRecords } from "./share-records.ts"
import { type SharePatch, shareInfo } from "./share-service.ts"

interface ChangeShareDeps {
  store: Pick<Store, "shareCopy">
  records: ShareRecords
  publisher: Pick<SharePublisher, "catchUp">
  clock: () => number
}

/** Changes a share that is there. @throws share_not_found; invalid_input when what a frozen share shows is changed */
export async function updateShare(
  { records, publisher, clock }: ChangeShareDeps,
  id: string,
  { by, password, ...patch }: SharePatch & { by: Caller },
): Promise<ShareInfo> {
  const share = await records.living(id)
  const isOther = patch.decisions !== undefined || patch.left !== undefined || patch.shows !== undefined
  if (share.mode === "frozen" && (isOther || patch.title !== undefined)) throw frozen()
  const passwordHash = password === undefined ? share.passwordHash : password && (await hashPassword(password))
  const info = await records.put(Share.parse({ ...share, ...patch, passwordHash, edited: { by, at: clock() } }))
  await publisher.catchUp(id)
  return info
}

/** Another secret in the place of the one that was. @throws share_not_found */
export async function relinkShare(
  { records, clock }: ChangeShareDeps,
  id: string,
  by: Caller,
): Promise<{ share: ShareInfo; secret: string }> {
  const share = await records.living(id)
  const { secret, secretHash } = newSecret()
  // Older rows have their digests by the hash that goes.
  const digestKey = keyOf(share)
  return { share: await records.put({ ...share, secretHash, digestKey, edited: { by, at: clock() } }), secret }
}

/** Ends the link and deletes its copy; one that has ended stays as it is. */
export async function revokeShare(
  { store, records, clock }: ChangeShareDeps,
  share: Share,
  by: Caller,
): Promise<ShareInfo> {
  if (share.time.revoked !== null) return shareInfo(share)
  const copy = await store.shareCopy.get(share.id)
  const seen = copy && { views: copy.views, viewed: copy.viewed }
  const time = { ...share.time, revoked: clock() }
  const info = await records.put({ ...share, time, seen, edited: { by, at: clock() } })
  await store.shareCopy.remove(share.id)
  return info
}

function frozen(): DocketError {
  return new DocketError("invalid_input", "This share is frozen: make another one to show something else.")
}
