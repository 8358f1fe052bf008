import { expect, test } from "vitest"
import { memoryVault } from "../test/memory-vault.ts"
import { createRequests, forgetRequests } from "./requests.ts"

const caller = { person: "ann", workspace: "local" }
const minute = 60_000

/** Two nodes with the vault and clock that they share. */
function setUp() {
  const [vault, time, dead] = [memoryVault(), { now: 1_000 }, new Set<string>()]
  const errors: unknown[] = []
  const node = (runner: string) => {
    const nodes = { vault, runner, isAlive: (other: string) => !dead.has(other) }
    const requests = createRequests({ clock: () => time.now, nodes, onError: (error) => errors.push(error) })
    return <T>(key: string, work: () => Promise<T>, input: unknown = {}) =>
      requests(caller, key).keep("share.create", input, work)
  }
  return { vault, time, dead, errors, one: node("one"), other: node("other") }
}

/** Work that counts how often it is done, and answers when it is told. */
function counted() {
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let times = 0
  const work = async () => {
    times += 1
    begun.resolve()
    await released.promise
    return { link: `/share/${times}`, at: new Date(5), bytes: new Uint8Array([1, 2]) }
  }
  return { work, begun: begun.promise, release: released.resolve, times: () => times }
}

const answer = { link: "/share/1", at: new Date(5), bytes: new Uint8Array([1, 2]) }

test("two nodes that get a request at once do it once", async () => {
  const { one, other, errors } = setUp()
  const { work, begun, release, times } = counted()
  const first = one("k", work)
  await begun
  const second = other("k", work)
  release()
  expect(await Promise.all([first, second])).toEqual([answer, answer])
  expect([times(), errors]).toEqual([1, []])
})

test("a repeated request has its first answer for ten minutes", async () => {
  const { one, other, time, vault } = setUp()
  const { work, release, times } = counted()
  release()
  await one("k", work)
  time.now += 10 * minute - 1
  expect(await other("k", work)).toEqual(answer)
  await forgetRequests(vault, time.now)
  expect(await other("k", work)).toEqual(answer)
  expect(times()).toBe(1)
  time.now += 1
  expect((await other("k", work)).link).toBe("/share/2")
  time.now += 10 * minute
  await forgetRequests(vault, time.now)
  expect([...(await vault.all("request"))]).toEqual([])
})

test("another key, or another input, is another request", async () => {
  const { one, other } = setUp()
  const { work, release, times } = counted()
  release()
  await one("k", work)
  await other("l", work)
  await other("k", work, { rootID: "ses_1" })
  expect(times()).toBe(3)
})

test("what failed is done again", async () => {
  const { one, other } = setUp()
  await expect(one("k", () => Promise.reject(new Error("no")))).rejects.toThrow("no")
  expect(await other("k", async () => "done")).toBe("done")
})

test("a request whose node died is done by the next", async () => {
  const { one, other, dead } = setUp()
  const { work, begun } = counted()
  void one("k", work)
  await begun
  const next = other("k", async () => "done")
  dead.add("one")
  expect(await next).toBe("done")
})
