import { isDocketError } from "../../ground/error/docket-error.ts"
import { createPeerState, type PeerState } from "../../ground/event/peer-state.ts"
import type { Peers } from "../../ground/event/peers.ts"
import type { Share } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { SharePublisher } from "./share-publisher.ts"
import { type ShareWatch, type WatchShareDeps, watchShare } from "./watch-share.ts"

/**
 * Where the files of trees are. A copy is written only there: nobody else knows all secrets of a project that it must
 * not show.
 */
export interface ShareHosts {
  peers: Peers
  /** The place of a tree's files; null when they are here. */
  placeOf(rootID: string): Promise<string | null>
  /** Brings the copy of a share up to date at the place. @throws host_away */
  refresh(place: string, shareID: string): Promise<void>
}

export interface ShareHome extends SharePublisher {
  /** Follows the copy for readers here: calls `run` after changes of the tree, or `toCopy` when the copy has grown. */
  watch(share: Share, readers: CopyReaders): () => void
  /** Tells other runtimes that the copy has grown. */
  grown(shareID: string): void
  close(): void
}

export interface CopyReaders extends ShareWatch {
  /** The readers continue from the copy. */
  toCopy(): void
}

interface ShareHomeDeps extends WatchShareDeps {
  store: Pick<Store, "share" | "shareCopy">
  publisher: SharePublisher
  hosts: ShareHosts | undefined
}

export function createShareHome(deps: ShareHomeDeps): ShareHome {
  const { hosts, publisher } = deps
  if (hosts === undefined) {
    const watch: ShareHome["watch"] = ({ rootID }, readers) => watchShare(deps, rootID, readers)
    return { ...publisher, watch, grown: () => {}, close: () => {} }
  }
  const served = new Map<string, () => void>()
  /** The shares that are read at runtimes without the tree's files. */
  const wanted: PeerState<true> = createPeerState(
    { peers: hosts.peers, ...(deps.timers && { timers: deps.timers }) },
    "share readers",
    (shareID) => void serve(shareID).catch(deps.onError),
  )
  const readersOf = (shareID: string) => wanted.others(shareID).length
  /** Keeps a copy up to date for readers elsewhere. */
  const serve = async (shareID: string) => {
    const share = await deps.store.share.get(shareID)
    const isHere = share?.time.revoked === null && (await hosts.placeOf(share.rootID)) === null
    const stop = served.get(shareID)
    if (isHere && readersOf(shareID) > 0) {
      if (stop !== undefined) return
      const run = async () => void (await publisher.catchUp(shareID))
      served.set(shareID, watchShare(deps, share.rootID, { readers: () => readersOf(shareID), run }))
      await run()
    } else {
      served.delete(shareID)
      stop?.()
    }
  }
  return {
    catchUp: (shareID) => catchUp(deps, hosts, shareID),
    watch(share, readers) {
      let stop: (() => void) | null = null
      let isOver = false
      const begin = async () => {
        const isHere = (await hosts.placeOf(share.rootID)) === null
        if (isOver) return
        stop = isHere
          ? watchShare(deps, share.rootID, readers)
          : watchCopy({ peers: hosts.peers, wanted }, share, readers)
      }
      begin().catch(deps.onError)
      return () => {
        isOver = true
        stop?.()
      }
    },
    grown: (shareID) => hosts.peers.tell({ kind: "copied", shareID }),
    close() {
      wanted.close()
      for (const stop of served.values()) stop()
    },
  }
}

async function catchUp({ store, publisher }: ShareHomeDeps, hosts: ShareHosts, shareID: string) {
  const share = await store.share.get(shareID)
  const place = share && (await hosts.placeOf(share.rootID))
  if (place === null) return publisher.catchUp(shareID)
  try {
    await hosts.refresh(place, shareID)
  } catch (error) {
    // Without its host nothing new comes into the tree but what people write: what is there can be read.
    const isAway = isDocketError(error) && error.code === "host_away"
    const copy = isAway ? await store.shareCopy.get(shareID) : null
    if (copy === null || copy.cursor === 0) throw error
    return copy
  }
  return store.shareCopy.get(shareID)
}

function watchCopy(
  { peers, wanted }: { peers: Peers; wanted: PeerState<true> },
  { id }: Share,
  { toCopy }: CopyReaders,
): () => void {
  wanted.put(id, true)
  const unlisten = peers.listen((news) => {
    if (news === null || (news.kind === "copied" && news.shareID === id)) toCopy()
  })
  return () => {
    wanted.put(id, null)
    unlisten()
  }
}
