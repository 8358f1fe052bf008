import { expect, onTestFinished, test } from "vitest"
import { newSession } from "../../test/entities.ts"
import { createIdSource } from "../id/create-id.ts"
import type { DocketEvent } from "../schema/index.ts"
import { createInMemoryStore, type FeedStore, type SessionPatch } from "../store/index.ts"
import { createBus } from "./bus.ts"
import { createFollower, type FollowerDeps } from "./follow-trees.ts"

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
  const feed: FeedStore = {
    head: (rootID) => headOf(store.feed, rootID),
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
  return { store, one, two, follower, heard, readTimes }
}

test("following a tree reports no events from before the follow", async () => {
  const delay = Promise.withResolvers<void>()
  let isDelayed = false
  const { store, one, two, follower, heard, readTimes } = await setUp(async (feed, rootID) => {
    const head = await feed.head(rootID)
    if (isDelayed) await delay.promise
    return head
  })
  await follower.follow(one.id)
  isDelayed = true
  const both = [follower.follow(two.id), follower.follow(two.id)]
  const before = readTimes(one.id)
  await expect.poll(() => readTimes(one.id)).toBeGreaterThan(before + 2)
  expect(readTimes(two.id)).toBe(0)
  delay.resolve()
  await Promise.all(both)
  const patch = { kind: "session.patch", sessionID: two.id, patch: { title: "Named" } } as const
  await store.write.commit([{ rootID: two.id, mutations: [patch] }])
  await expect.poll(() => heard.map(({ type }) => type)).toEqual(["session.updated"])
})

test("another runtime's change is reported even after an own change", async () => {
  const { store, one, follower, heard, readTimes } = await setUp((feed, rootID) => feed.head(rootID))
  await follower.follow(one.id)
  await expect.poll(() => readTimes(one.id)).toBeGreaterThan(0)
  const patched = (patch: SessionPatch) =>
    store.write.commit([{ rootID: one.id, mutations: [{ kind: "session.patch", sessionID: one.id, patch }] }])
  const stop = { turnID: "trn_0", limit: null }
  // In one go, so that nothing is read in between.
  const [, changes] = await Promise.all([patched({ stop }), patched({ title: "Mine" })])
  for (const change of changes) follower.stored(change)
  await expect.poll(() => heard).toMatchObject([{ properties: { info: { title: "Mine", stop } } }])
  const read = readTimes(one.id)
  for (const change of await patched({ title: "Mine again" })) follower.stored(change)
  await expect.poll(() => readTimes(one.id)).toBeGreaterThan(read + 1)
  expect(heard).toHaveLength(1)
})

test("following a tree works again after a failed attempt", async () => {
  let isAway = true
  const { one, follower, readTimes } = await setUp(async (feed, rootID) => {
    if (isAway) throw new Error("away")
    return feed.head(rootID)
  })
  await expect(follower.follow(one.id)).rejects.toThrow("away")
  isAway = false
  const leave = await follower.follow(one.id)
  await expect.poll(() => readTimes(one.id)).toBeGreaterThan(0)
  leave()
})

test("news of a followed tree are read at once", async () => {
  let tell: (rootID: string | null) => void = () => {}
  const told: string[] = []
  const news = {
    tell: (rootID: string) => void told.push(rootID),
    listen(listener: typeof tell) {
      tell = listener
      return () => {}
    },
  }
  const { store, one, two, follower, heard, readTimes } = await setUp((feed, rootID) => feed.head(rootID), {
    ...{ pollMs: 600_000, news },
  })
  const rename = (sessionID: string, title: string) =>
    store.write.commit([{ rootID: sessionID, mutations: [{ kind: "session.patch", sessionID, patch: { title } }] }])
  await follower.follow(one.id)
  await rename(one.id, "First")
  tell(two.id)
  tell(one.id)
  await expect.poll(() => heard).toMatchObject([{ properties: { info: { title: "First" } } }])
  expect(readTimes(two.id)).toBe(0)
  await rename(one.id, "Second")
  tell(null)
  await expect.poll(() => heard).toHaveLength(2)
  for (const change of await rename(one.id, "Mine")) follower.stored(change)
  expect(told).toEqual([one.id])
})
