import { expect, onTestFinished, test } from "vitest"
import { textPart, userMessage } from "../../contract/rows.ts"
import { newSession } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import type { DocketEvent } from "../schema/index.ts"
import { type Change, createInMemoryStore, type FeedStore, type SessionPatch } from "../store/index.ts"
import { createBus } from "./bus.ts"
import { createFollower, type FollowerDeps } from "./follow-trees.ts"
import type { PeerNews, Peers } from "./peers.ts"

/** A follower of a store with two trees, `headOf` gives the newest number of each. */
async function setUp(
  headOf: (feed: FeedStore, rootID: string) => Promise<number | null>,
  more: Partial<FollowerDeps> = {},
) {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const [one, two] = [newSession(createID), newSession(createID)]
  for (const session of [one, two]) {
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "session", value: session }] }])
  }
  const read: string[] = []
  const looked: string[] = []
  const feed: FeedStore = {
    head: (rootID) => headOf(store.feed, rootID),
    heads(rootIDs) {
      looked.push(...rootIDs)
      return store.feed.heads(rootIDs)
    },
    changesSince(rootID, ...rest) {
      read.push(rootID)
      return store.feed.changesSince(rootID, ...rest)
    },
  }
  const onError = (error: unknown) => {
    throw error
  }
  const follower = createFollower({ store: feed, bus: createBus(onError), pollMs: 1, onError, ...more })
  onTestFinished(follower.close)
  const heard: DocketEvent[] = []
  follower.onForeign((event) => heard.push(event))
  const readTimes = (rootID: string) => read.filter((id) => id === rootID).length
  const lookTimes = (rootID: string) => looked.filter((id) => id === rootID).length
  return { store, one, two, follower, heard, readTimes, lookTimes }
}

test("following a tree reports no events from before the follow", async () => {
  const delay = Promise.withResolvers<void>()
  let isDelayed = false
  const { store, one, two, follower, heard, lookTimes } = await setUp(async (feed, rootID) => {
    const head = await feed.head(rootID)
    if (isDelayed) await delay.promise
    return head
  })
  await follower.follow(one.id)
  isDelayed = true
  const both = [follower.follow(two.id), follower.follow(two.id)]
  const before = lookTimes(one.id)
  await expect.poll(() => lookTimes(one.id)).toBeGreaterThan(before + 2)
  expect(lookTimes(two.id)).toBe(0)
  delay.resolve()
  await Promise.all(both)
  const patch = { kind: "session.patch", sessionID: two.id, patch: { title: "Named" } } as const
  await store.write.commit([{ rootID: two.id, mutations: [patch] }])
  await expect.poll(() => heard.map(({ type }) => type)).toEqual(["session.updated"])
})

test("another runtime's change is reported even after an own change", async () => {
  const { store, one, follower, heard, lookTimes } = await setUp((feed, rootID) => feed.head(rootID))
  await follower.follow(one.id)
  await expect.poll(() => lookTimes(one.id)).toBeGreaterThan(0)
  const patched = (patch: SessionPatch) =>
    store.write.commit([{ rootID: one.id, mutations: [{ kind: "session.patch", sessionID: one.id, patch }] }])
  const stop = { turnID: "trn_0", limit: null }
  // In one go, so that nothing is read in between.
  const [, changes] = await Promise.all([patched({ stop }), patched({ title: "Mine" })])
  for (const change of changes) follower.stored(change)
  await expect.poll(() => heard).toMatchObject([{ properties: { info: { title: "Mine", stop } } }])
  const read = lookTimes(one.id)
  for (const change of await patched({ title: "Mine again" })) follower.stored(change)
  await expect.poll(() => lookTimes(one.id)).toBeGreaterThan(read + 1)
  expect(heard).toHaveLength(1)
})

test("following a tree works again after a failed attempt", async () => {
  let isAway = true
  const { one, follower, lookTimes } = await setUp(async (feed, rootID) => {
    if (isAway) throw new Error("away")
    return feed.head(rootID)
  })
  await expect(follower.follow(one.id)).rejects.toThrow("away")
  isAway = false
  const leave = await follower.follow(one.id)
  await expect.poll(() => lookTimes(one.id)).toBeGreaterThan(0)
  leave()
})

test("trees without changes are looked at together, and not read", async () => {
  const { store, one, two, follower, heard, readTimes, lookTimes } = await setUp((feed, rootID) => feed.head(rootID))
  await follower.follow(one.id)
  await follower.follow(two.id)
  await expect.poll(() => lookTimes(two.id)).toBeGreaterThan(2)
  const patch = { kind: "session.patch", sessionID: two.id, patch: { title: "Named" } } as const
  await store.write.commit([{ rootID: two.id, mutations: [patch] }])
  await expect.poll(() => heard).toHaveLength(1)
  const looked = lookTimes(two.id)
  await expect.poll(() => lookTimes(two.id)).toBeGreaterThan(looked + 2)
  expect([readTimes(one.id), readTimes(two.id)]).toEqual([0, 1])
})

/** News that the test tells, of changes that other runtimes made; `told` is what the follower tells. */
function manualPeers() {
  let hear: Parameters<Peers["listen"]>[0] = () => {}
  const told: PeerNews[] = []
  const peers: Peers = {
    tell: (news) => void told.push(news),
    listen(listener) {
      hear = listener
      return () => {}
    },
  }
  return {
    ...{ peers, told },
    lose: () => hear(null, ""),
    tell: (changes: readonly Change[]) => {
      for (const { rootID, seq } of changes)
        hear({ kind: "rows", rootID, since: seq - 1, to: seq, lists: true }, "another")
    },
  }
}

/** Reads rows only when it is told of them. */
async function setUpWithPeers() {
  const events: DocketEvent[] = []
  const bus = createBus((error) => {
    throw error
  })
  bus.subscribe((event) => void events.push(event))
  const doubts: (string | null)[] = []
  bus.onDoubt((rootID) => void doubts.push(rootID))
  const { peers, ...news } = manualPeers()
  const set = await setUp((feed, rootID) => feed.head(rootID), { pollMs: 600_000, peers, bus })
  const rename = (sessionID: string, title: string) =>
    set.store.write.commit([{ rootID: sessionID, mutations: [{ kind: "session.patch", sessionID, patch: { title } }] }])
  const titles = () =>
    events.flatMap((event) => (event.type === "session.updated" ? [event.properties.info.title] : []))
  return { ...set, ...news, rename, titles, doubts }
}

test("told changes of a followed tree are read at once", async () => {
  const { one, two, follower, heard, readTimes, rename, tell, lose, told } = await setUpWithPeers()
  await follower.follow(one.id)
  tell(await rename(two.id, "Elsewhere"))
  tell(await rename(one.id, "First"))
  await expect.poll(() => heard).toMatchObject([{ properties: { info: { title: "First" } } }])
  expect(readTimes(two.id)).toBe(0)
  await rename(one.id, "Second")
  lose()
  await expect.poll(() => heard).toHaveLength(2)
  for (const change of await rename(one.id, "Mine")) follower.stored(change)
  expect(told).toMatchObject([{ kind: "rows", rootID: one.id, lists: true }])
})

test("others are not told of text that they get from the relay", async () => {
  const { one, store, follower, told } = await setUpWithPeers()
  const message = userMessage(one)
  await store.write.commit([{ rootID: one.id, mutations: [{ kind: "message", value: message }] }])
  const text = (quiet: boolean) =>
    store.write.commit([{ rootID: one.id, mutations: [{ kind: "part", value: textPart(message, "text"), quiet }] }])
  for (const change of await text(true)) follower.stored(change)
  expect(told).toEqual([])
  for (const change of await text(false)) follower.stored(change)
  expect(told).toMatchObject([{ kind: "rows", rootID: one.id }])
})

test("readers of lists get changes of all trees, each once", async () => {
  const { one, two, follower, rename, tell, lose, titles, doubts } = await setUpWithPeers()
  const leave = follower.followLists(false)
  await follower.follow(one.id)
  tell([...(await rename(two.id, "Two")), ...(await rename(one.id, "One"))])
  await expect.poll(titles).toHaveLength(2)
  tell(await rename(two.id, "Two again"))
  await expect.poll(titles).toHaveLength(3)
  expect(titles().toSorted()).toEqual(["One", "Two", "Two again"])
  lose()
  expect(doubts).toEqual([null])
  leave()
  tell(await rename(two.id, "Unread"))
  tell(await rename(one.id, "One again"))
  await expect.poll(titles).toHaveLength(4)
  expect(titles()).not.toContain("Unread")
})
