import { createHash, randomBytes } from "node:crypto"
import type { Timers } from "../../ground/concurrency/timers.ts"
import type { Bus } from "../../ground/event/bus.ts"
import type { DocketEvent, Share } from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import { admits, givePass, isForVisitor } from "./share-access.ts"
import { isPassword } from "./share-password.ts"
import { type ShareService, shareInfo } from "./share-service.ts"

/** 128 bits, so that it cannot be guessed. */
const secretBytes = 16

/** A new secret for a link, and the hash that is stored of it. */
export function newSecret(): { secret: string; secretHash: string } {
  const secret = randomBytes(secretBytes).toString("base64url")
  return { secret, secretHash: hashShareSecret(secret) }
}

/** Use cases for visitors with a link. Every reason to refuse looks the same to them. */
export function createShareLinks(deps: WatchLinksDeps): Pick<ShareService, "resolve" | "unlock" | "ended"> {
  const { store, clock } = deps
  const watch = createLinkWatch(deps)
  return {
    async resolve(secret, visitor) {
      const share = await store.share.byHash(hashShareSecret(secret))
      if (share === null || !admits(share, visitor, clock())) return null
      return (await store.session.get(share.rootID)) === null ? null : shareInfo(share)
    },
    async unlock(secret, { password, isMember }) {
      const share = await store.share.byHash(hashShareSecret(secret))
      const hash = share !== null && isForVisitor(share, { isMember }, clock()) ? share.passwordHash : null
      const isRight = await isPassword(password, hash)
      return isRight && share !== null ? givePass(share, clock()) : null
    },
    async ended(secret, visitor, signal) {
      const secretHash = hashShareSecret(secret)
      const share = await store.share.byHash(secretHash)
      if (share === null) return true
      const isAdmitted = async (current: Share) => {
        if (current.secretHash !== secretHash) return false
        const isMember = current.audience === "workspace" && (await visitor.isMember())
        return admits(current, { pass: visitor.pass, isMember }, clock())
      }
      return watch(share, isAdmitted, signal)
    },
  }
}

/** The hash under which the store finds a link's secret. */
export function hashShareSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex")
}

interface WatchLinksDeps {
  store: Pick<Store, "share" | "session">
  bus: Bus
  clock: () => number
  timers: Timers
}

/** Someone who watches a share until they lose access. */
interface Onlooker {
  isAdmitted(share: Share): Promise<boolean>
  end(): void
}

interface Watch {
  onlookers: Set<Onlooker>
  check(): void
  stop(): void
}

/**
 * How long a link may stay open when its end makes no event in this process (ms): another runtime revoked it, or its
 * tenant was removed.
 */
const recheckMs = 2_000
/** The longest delay of a timer (ms). */
const longestTimer = 2 ** 31 - 1

/**
 * Notifies visitors who watch shares when they lose access. Each share is read once for all its visitors: on a change,
 * when it expires, and at intervals.
 */
function createLinkWatch(
  deps: WatchLinksDeps,
): (share: Share, isAdmitted: Onlooker["isAdmitted"], signal: AbortSignal) => Promise<boolean> {
  const watches = new Map<string, Watch>()
  return async (share, isAdmitted, signal) => {
    const end = Promise.withResolvers<boolean>()
    const onlooker = { isAdmitted, end: () => end.resolve(true) }
    const watch = watches.get(share.id) ?? openWatch(deps, share)
    watches.set(share.id, watch)
    watch.onlookers.add(onlooker)
    const onAbort = () => end.resolve(false)
    signal.addEventListener("abort", onAbort)
    if (signal.aborted) onAbort()
    // Something may have happened since the share was read.
    watch.check()
    try {
      return await end.promise
    } finally {
      signal.removeEventListener("abort", onAbort)
      watch.onlookers.delete(onlooker)
      if (watch.onlookers.size === 0 && watches.get(share.id) === watch) {
        watches.delete(share.id)
        watch.stop()
      }
    }
  }
}

function openWatch({ store, bus, clock, timers }: WatchLinksDeps, { id, rootID }: Share): Watch {
  const onlookers = new Set<Onlooker>()
  let stopTimer = () => {}
  const look = async () => {
    const share = await store.share.get(id)
    const isThere = share !== null && (await store.session.get(rootID)) !== null
    for (const onlooker of onlookers) if (!isThere) onlooker.end()
    if (isThere) await Promise.all([...onlookers].map((onlooker) => lookAt(onlooker, share)))
    stopTimer()
    if (isThere && share.expires !== null && onlookers.size > 0)
      stopTimer = timers.after(Math.min(Math.max(share.expires - clock(), 0), longestTimer), check)
  }
  // If the store fails, the next check tries again.
  const check = () => void look().catch(() => undefined)
  const unsubscribe = bus.subscribe((event) => {
    if (isEnd(event, id, rootID)) for (const onlooker of onlookers) onlooker.end()
    else if (event.type === "share.updated" && event.properties.share.id === id) check()
  })
  const stopChecking = timers.every(recheckMs, check)
  return {
    onlookers,
    check,
    stop() {
      stopTimer()
      stopChecking()
      unsubscribe()
    },
  }
}

async function lookAt(onlooker: Onlooker, share: Share): Promise<void> {
  // If the visitor's rights cannot be read now, the next check tries again.
  const isAdmitted = await onlooker.isAdmitted(share).catch(() => true)
  if (!isAdmitted) onlooker.end()
}

/** Events that end access without another read: the share was revoked or its session deleted. */
function isEnd(event: DocketEvent, id: string, rootID: string): boolean {
  if (event.type === "session.deleted") return event.properties.sessionID === rootID
  if (event.type !== "share.updated") return false
  const { share } = event.properties
  return share.id === id && share.time.revoked !== null
}
