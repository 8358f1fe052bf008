import { createHook } from "node:async_hooks"
import { expect, it, vi } from "vitest"
import { localCaller } from "../../test/as-local.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { openShares } from "./test/open-shares.ts"

const anyone = { isMember: false, pass: null }
const member = { isMember: true, pass: null }
const password = "correct horse battery"

/** A visitor whose rights do not change. */
const asNow = ({ isMember, pass }: typeof anyone) => ({ pass, isMember: () => isMember })

type Made = Awaited<ReturnType<typeof openShares>>

const tryOn = (made: Made, secret: string, of: Partial<Parameters<Made["shares"]["unlock"]>[1]> = {}) =>
  made.shares.unlock(secret, { password, isMember: false, ...of })

it("a link with a password opens only with its own pass", async () => {
  const made = await openShares()
  const first = await made.shares.create(made.session, { password }, localCaller)
  const second = await made.shares.create(made.session, { password }, localCaller)
  expect(first.share).toMatchObject({ hasPassword: true })
  expect(JSON.stringify([first.share, made.events, await made.shares.list()])).not.toMatch(/argon2|correct horse/)
  expect((await made.store.share.get(first.share.id))?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  const { pass = "" } = (await tryOn(made, first.secret)) ?? {}
  const open = async (secret: string, given: string | null) =>
    (await made.shares.resolve(secret, { isMember: true, pass: given }))?.id ?? null
  expect(await open(first.secret, null)).toBeNull()
  expect(await open(first.secret, `${pass}x`)).toBeNull()
  expect(await open(second.secret, pass)).toBeNull()
  expect(await open(first.secret, pass)).toBe(first.share.id)
})

it("a pass ends after its time, or when the password changes", async () => {
  const time = createManualTime()
  const made = await openShares(time)
  const { share, secret } = await made.shares.create(made.session, { password }, localCaller)
  const { pass, seconds } = (await tryOn(made, secret)) ?? { pass: "", seconds: 0 }
  const visitor = { isMember: false, pass }
  expect(await made.shares.resolve(secret, visitor)).not.toBeNull()
  await made.shares.update(share.id, { password: "another password" }, localCaller)
  expect(await made.shares.resolve(secret, visitor)).toBeNull()
  await made.shares.update(share.id, { password: null }, localCaller)
  expect(await made.shares.resolve(secret, anyone)).not.toBeNull()
  await made.shares.update(share.id, { password }, localCaller)
  const again = { isMember: false, pass: (await tryOn(made, secret))?.pass ?? "" }
  expect(await made.shares.resolve(secret, again)).not.toBeNull()
  await time.pass(seconds * 1_000)
  expect(await made.shares.resolve(secret, again)).toBeNull()
})

it("every failed attempt costs the same work and gives the same answer", async () => {
  const time = createManualTime()
  const made = await openShares(time)
  const locked = await made.shares.create(made.session, { password }, localCaller)
  const open = await made.shares.create(made.session, {}, localCaller)
  const internal = await made.shares.create(made.session, { password, audience: "workspace" }, localCaller)
  const revoked = await made.shares.create(made.session, { password }, localCaller)
  const over = await made.shares.create(made.session, { password, expires: time.clock() + 1 }, localCaller)
  await time.pass(1)
  await made.shares.revoke(revoked.share.id, localCaller)
  const secrets = [locked.secret, open.secret, internal.secret, revoked.secret, over.secret, "A".repeat(22)]
  const derived = secrets.map(() => 0)
  for (const [at, secret] of secrets.entries()) {
    // Each start of Argon2 counts: it takes most of an attempt's time.
    const count = (_id: number, type: string) => {
      if (type === "ARGON2REQUEST") derived[at] = (derived[at] ?? 0) + 1
    }
    const hook = createHook({ init: count }).enable()
    const tried = secret === locked.secret ? "wrong password" : password
    expect(await tryOn(made, secret, { password: tried })).toBeNull()
    hook.disable()
  }
  expect(derived).toEqual(secrets.map(() => 1))
  expect(await tryOn(made, internal.secret, { isMember: true })).not.toBeNull()
})

it("a link for the workspace opens only for its signed-in members", async () => {
  const made = await openShares()
  const { share, secret } = await made.shares.create(made.session, { audience: "workspace" }, localCaller)
  expect([await made.shares.resolve(secret, anyone), (await made.shares.resolve(secret, member))?.id]).toEqual([
    null,
    share.id,
  ])
})

it("viewers lose a link at once after expiry, audience or password changes", async () => {
  const time = createManualTime()
  const made = await openShares(time)
  const look = async (choice: Parameters<Made["shares"]["create"]>[1], visitor = anyone) => {
    const { share, secret } = await made.shares.create(made.session, choice, localCaller)
    const ended = made.shares.ended(secret, asNow(visitor), new AbortController().signal)
    return { share, secret, ended }
  }
  const over = await look({ expires: time.clock() + 500 })
  const forOthers = await look({})
  const locked = await look({})
  const kept = await look({}, member)
  await time.pass(499)
  await made.shares.update(forOthers.share.id, { audience: "workspace" }, localCaller)
  await made.shares.update(locked.share.id, { password }, localCaller)
  await made.shares.update(kept.share.id, { audience: "workspace" }, localCaller)
  expect([await forOthers.ended, await locked.ended]).toEqual([true, true])
  await time.pass(1)
  expect(await over.ended).toBe(true)
  expect(await Promise.race([kept.ended, Promise.resolve("looks on")])).toBe("looks on")
})

it("former members lose access to workspace links while viewing", async () => {
  const time = createManualTime()
  const made = await openShares(time)
  const people = { ada: true, bob: true }
  const look = async (person: keyof typeof people, choice: Parameters<Made["shares"]["create"]>[1]) => {
    const { share, secret } = await made.shares.create(made.session, choice, localCaller)
    const visitor = { pass: null, isMember: async () => people[person] }
    return { share, ended: made.shares.ended(secret, visitor, new AbortController().signal) }
  }
  const [ada, bob] = [await look("ada", { audience: "workspace" }), await look("bob", { audience: "workspace" })]
  const opened = await look("ada", {})
  people.ada = false
  await time.pass(5_000)
  expect(await ada.ended).toBe(true)
  const looksOn = (ended: Promise<boolean>) => Promise.race([ended, Promise.resolve("looks on")])
  expect([await looksOn(bob.ended), await looksOn(opened.ended)]).toEqual(["looks on", "looks on"])
  // The rights of now count, not those at the time of arrival.
  await made.shares.update(opened.share.id, { audience: "workspace" }, localCaller)
  expect(await opened.ended).toBe(true)
})

it("a link whose expiry is postponed lives until the new time", async () => {
  const time = createManualTime()
  const made = await openShares(time)
  const { share, secret } = await made.shares.create(made.session, { expires: time.clock() + 500 }, localCaller)
  const ended = made.shares.ended(secret, asNow(anyone), new AbortController().signal)
  await time.pass(100)
  await made.shares.update(share.id, { expires: time.clock() + 1_000 }, localCaller)
  await time.pass(999)
  expect(await Promise.race([ended, Promise.resolve("looks on")])).toBe("looks on")
  await time.pass(1)
  expect(await ended).toBe(true)
})

it("two hundred viewers of a share cause only occasional lookups", async () => {
  const time = createManualTime()
  const made = await openShares(time)
  const { secret } = await made.shares.create(made.session, {}, localCaller)
  const left = new AbortController()
  const all = Array.from({ length: 200 }, () => made.shares.ended(secret, asNow(anyone), left.signal))
  await time.pass(0)
  const looks = vi.spyOn(made.store.share, "get")
  await time.pass(20_000)
  expect(looks.mock.calls.length).toBeLessThanOrEqual(10)
  left.abort()
  expect(new Set(await Promise.all(all))).toEqual(new Set([false]))
  expect(time.waiting()).toBe(0)
})
