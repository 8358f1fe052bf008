import { DocketError } from "../../ground/error/docket-error.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { Share, ShareInfo } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { isLiving } from "./share-access.ts"
import { shareInfo } from "./share-service.ts"

/** Reads and writes rows of shares. */
export interface ShareRecords {
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

export function createShareRecords({ store, bus, clock }: ShareRecordsDeps): ShareRecords {
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

export function shareNotFound(id: string): DocketError {
  return new DocketError("share_not_found", `There is no share ${id}.`)
}
