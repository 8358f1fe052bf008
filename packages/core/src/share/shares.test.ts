import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test, vi } from "vitest"
import { createBus } from "../event/bus.ts"
import { noFollower } from "../event/follow-trees.ts"
import { createJournal } from "../event/journal.ts"
import { createIdSource } from "../id/create-id.ts"
import { homeOwner } from "../redact/index.ts"
import type { DocketEvent } from "../schema/index.ts"
import { createInMemoryStore } from "../store/index.ts"
import { localCaller } from "../test/as-local.ts"
import { newSession } from "../test/entities.ts"
import { createManualTime } from "../test/manual-time.ts"
import { createShares } from "./shares.ts"

async function setUp({ timers } = createManualTime()) {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const bus = createBus((error) => {
    throw error
  })
  const journal = createJournal({ store, bus })
  const session = newSession(createID)
  await journal.commit(session.id, [{ kind: "session", value: session }])
  const shares = createShares({
    store,
    bus,
    createID,
    clock: () => 7,
    timers,
    follower: noFollower,
    owner: homeOwner("/home/alice"),
    frameOf: async () => ({ author: null, embedSites: [] }),
    mayShare: async () => true,
    secretsOf: async () => ({ known: [], patterns: [] }),
    onError: (error) => {
      throw error
    },
  })
  const events: DocketEvent[] = []
  bus.subscribe((event) => events.push(event))
  return { bus, createID, journal, session, shares, events, store }
}

test("making and revoking a link is told to the tree, without the hash of its secret", async () => {
  const { session, shares, events } = await setUp()
  const { share } = await shares.create(session, {}, localCaller)
  const revoked = await shares.revoke(share.id)
  expect(share).not.toHaveProperty("secretHash")
  expect(share).not.toHaveProperty("digestKey")
  expect(events.map(({ type, rootID, properties }) => [type, rootID, properties])).toEqual([
    ["share.updated", session.id, { share }],
    ["share.updated", session.id, { share: revoked }],
  ])
})

test("who watches a link hears at once that it was revoked, and nothing of another's end", async () => {
  const { session, shares } = await setUp()
  const { secret, share } = await shares.create(session, {}, localCaller)
  const other = await shares.create(session, {}, localCaller)
  const left = new AbortController()
  const ended = shares.ended(secret, left.signal)
  const otherEnded = shares.ended(other.secret, left.signal)
  await shares.revoke(share.id)
  expect(await ended).toBe(true)
  left.abort()
  expect(await otherEnded).toBe(false)
})

test("who watches a link looks it up no more often because the session says more", async () => {
  const { bus, createID, session, shares, store } = await setUp()
  const { secret } = await shares.create(session, {}, localCaller)
  const lookups = vi.spyOn(store.share, "byHash")
  const left = new AbortController()
  const ended = shares.ended(secret, left.signal)
  await nextTurn()
  const atFirst = lookups.mock.calls.length
  const part = { sessionID: session.id, messageID: createID("message"), partID: createID("part") }
  for (let offset = 0; offset < 1_000; offset++) {
    const properties = { ...part, offset, text: "x" }
    bus.publish({ type: "message.part.delta", rootID: session.id, seq: null, properties })
  }
  await nextTurn()
  expect(lookups).toHaveBeenCalledTimes(atFirst)
  left.abort()
  expect(await ended).toBe(false)
})

test("a link ends with its session, and one that is dead or unknown has ended", async () => {
  const { journal, session, shares } = await setUp()
  const { secret } = await shares.create(session, {}, localCaller)
  const { signal } = new AbortController()
  const ended = shares.ended(secret, signal)
  await journal.commit(session.id, [{ kind: "session.remove", sessionID: session.id }])
  expect(await ended).toBe(true)
  expect(await shares.ended(secret, signal)).toBe(true)
  expect(await shares.ended("unknown", signal)).toBe(true)
})
