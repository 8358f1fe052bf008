import type { Store } from "../../ground/store/index.ts"
import { readSharedMessages, readSharedPart, readSharedTree } from "./read-copy.ts"
import type { SharePublisher } from "./share-publisher.ts"
import { type ShareRecords, shareNotFound } from "./share-records.ts"
import type { ShareFrame, ShareService } from "./share-service.ts"
import type { ShareStreams } from "./share-stream.ts"

export interface CopyReadersDeps {
  store: Pick<Store, "shareCopy">
  records: Pick<ShareRecords, "living">
  publisher: Pick<SharePublisher, "catchUp">
  streams: Pick<ShareStreams, "readers" | "follow">
  clock: () => number
  frameOf(rootID: string): Promise<ShareFrame>
}

/** What readers of a link are served: the copy, brought up to date before it is read. */
export function createCopyReaders(deps: CopyReadersDeps): ShareService["copy"] {
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
    frame: async (id) => frameOf((await records.living(id)).rootID),
    readers: (id) => streams.readers(id),
    follow: (id, since, signal) => streams.follow(() => records.living(id), since, signal),
  }
}
