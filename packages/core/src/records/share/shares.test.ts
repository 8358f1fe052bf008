import { setImmediate as nextTurn } from "node:timers/promises"
import { expect, test, vi } from "vitest"
import { localCaller } from "../../test/as-local.ts"
import { openShares } from "./test/open-shares.ts"

const anyone = { isMember: false, pass: null }
const onlooker = { isMember: () => false, pass: null }

test("creating and revoking a link is published without its secret's hash", async () => {
  const { session, shares, events } = await openShares()
  const { share } = await shares.create(session, {}, localCaller)
  const revoked = await shares.revoke(share.id, localCaller)
  expect(share).not.toHaveProperty("secretHash")
  expect(share).not.toHaveProperty("digestKey")
  expect(events.map(({ type, rootID, properties }) => [type, rootID, properties])).toEqual([
    ["share.updated", session.id, { share }],
    ["share.updated", session.id, { share: revoked }],
  ])
})

test("revoking a link ends it at once for its own viewers only", async () => {
  const { session, shares } = await openShares()
  const { secret, share } = await shares.create(session, {}, localCaller)
  const other = await shares.create(session, {}, localCaller)
  const left = new AbortController()
  const ended = shares.ended(secret, onlooker, left.signal)
  const otherEnded = shares.ended(other.secret, onlooker, left.signal)
  await shares.revoke(share.id, localCaller)
  expect(await ended).toBe(true)
  left.abort()
  expect(await otherEnded).toBe(false)
})

test("viewers of a link cause no more lookups when the session streams", async () => {
  const { bus, createID, session, shares, store } = await openShares()
  const { secret } = await shares.create(session, {}, localCaller)
  const lookups = vi.spyOn(store.share, "byHash")
  const checks = vi.spyOn(store.share, "get")
  const left = new AbortController()
  const ended = shares.ended(secret, onlooker, left.signal)
  await nextTurn()
  const count = () => lookups.mock.calls.length + checks.mock.calls.length
  const atFirst = count()
  const part = { sessionID: session.id, messageID: createID("message"), partID: createID("part") }
  for (let offset = 0; offset < 1_000; offset++) {
    const properties = { ...part, offset, text: "x" }
    bus.publish({ type: "message.part.delta", rootID: session.id, seq: null, properties })
  }
  await nextTurn()
  expect(count()).toBe(atFirst)
  left.abort()
  expect(await ended).toBe(false)
})

test("a link ends with its session; dead or unknown links have ended", async () => {
  const { journal, session, shares } = await openShares()
  const { secret } = await shares.create(session, {}, localCaller)
  const { signal } = new AbortController()
  const ended = shares.ended(secret, onlooker, signal)
  await journal.commit(session.id, [{ kind: "session.remove", sessionID: session.id }])
  expect(await ended).toBe(true)
  expect(await shares.ended(secret, onlooker, signal)).toBe(true)
  expect(await shares.ended("unknown", onlooker, signal)).toBe(true)
})

test("a change stores its author, and a revoked link keeps its statistics", async () => {
  const { session, shares } = await openShares()
  const bob = { ...localCaller, person: "bob" }
  const { share } = await shares.create(session, {}, localCaller)
  await shares.copy.visit(share.id)
  const updated = await shares.update(share.id, { title: "For the team" }, bob)
  expect([share.by, share.edited, updated.edited]).toEqual([localCaller, null, { by: bob, at: expect.any(Number) }])
  await shares.revoke(share.id, localCaller)
  const [listed] = await shares.list()
  expect(listed).toMatchObject({ views: 1, viewed: expect.any(Number), edited: { by: localCaller } })
})

test("all links of a tree or workspace are revoked together, once", async () => {
  const { session, shares } = await openShares()
  const made = [await shares.create(session, {}, localCaller), await shares.create(session, {}, localCaller)]
  const revoked = await shares.revokeAll({ rootID: session.id }, localCaller)
  expect(revoked.map(({ id }) => id).sort()).toEqual(made.map(({ share }) => share.id).sort())
  for (const { secret } of made) expect(await shares.resolve(secret, anyone)).toBeNull()
  expect(await shares.revokeAll({}, localCaller)).toEqual([])
})

test("a new link to a share ends the old one everywhere", async () => {
  const { session, shares } = await openShares()
  const { secret, share } = await shares.create(session, {}, localCaller)
  const ended = shares.ended(secret, onlooker, new AbortController().signal)
  const next = await shares.relink(share.id, localCaller)
  expect(await ended).toBe(true)
  expect([await shares.resolve(secret, anyone), await shares.resolve(next.secret, anyone)]).toEqual([
    null,
    expect.objectContaining({ id: share.id }),
  ])
})
