import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, onTestFinished, test } from "vitest"
import { putSessions, root } from "../../contract/rows.ts"
import type { Timers } from "../concurrency/timers.ts"
import { DocketError } from "../error/docket-error.ts"
import { createInMemoryStore, type Store } from "../store/index.ts"
import type { Blobs } from "./blobs.ts"
import { collectContents } from "./collect-contents.ts"
import { createFileBlobs } from "./file-blobs.ts"
import { createSharedContents } from "./shared-contents.ts"

const day = 24 * 60 * 60_000

async function opened() {
  const directory = await mkdtemp(join(tmpdir(), "docket-shared-"))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const store = createInMemoryStore()
  const inner = createFileBlobs(join(directory, "store"))
  const errors: unknown[] = []
  /** What happens before a content is stored. */
  const state = { before: async () => {} }
  const blobs: Blobs = {
    ...inner,
    async put(key, source, signal) {
      await state.before()
      await inner.put(key, source, signal)
    },
  }
  const later: (() => void)[] = []
  const timers: Timers = {
    after(_ms, run) {
      later.push(run)
      return () => void later.splice(later.indexOf(run), 1)
    },
    every: () => () => {},
  }
  const host = (name: string) =>
    createSharedContents({
      ...{ blobs, tenant: "local", store: store.content, clock: Date.now, timers },
      directory: join(directory, name),
      onError: (error) => errors.push(error),
    })
  const made = async (text: string) => {
    const file = join(directory, `made-${text.length}-${text.slice(0, 9)}`)
    await writeFile(file, text)
    return file
  }
  const waiting = (name: string) => readdir(join(directory, name, "waiting")).catch(() => [])
  return { directory, store, blobs: inner, state, later, host, errors, made, waiting }
}

const textOf = async (host: ReturnType<typeof createSharedContents>, rootID: string, name: string) => {
  const row = await host.find(rootID, "output", name)
  return row === null ? null : readFile(await host.fileOf(row), "utf8")
}

test("what one host keeps is read at another, by its tree alone", async () => {
  const { store, host, made, waiting, errors } = await opened()
  const [session, stranger] = [await putSessions(store, root()), await putSessions(store, root())]
  const [one, two] = [host("one"), host("two")]
  one.keep(session, { kind: "output", name: "a", file: await made("hello") })
  await one.settled()
  expect(await textOf(two, session.rootID, "a")).toBe("hello")
  expect(await textOf(two, stranger.rootID, "a")).toBeNull()
  expect(await waiting("one")).toEqual([])
  expect(errors).toEqual([])
})

test("a row tells whether the store has its content yet", async () => {
  const { store, host, made, state } = await opened()
  const session = await putSessions(store, root())
  const [begun, goes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  state.before = () => {
    begun.resolve()
    return goes.promise
  }
  const one = host("one")
  one.keep(session, { kind: "output", name: "a", file: await made("hello") })
  await begun.promise
  expect(await store.content.list()).toMatchObject([{ name: "a", size: 5, isStored: false }])
  expect(await host("two").find(session.rootID, "output", "a")).toBeNull()
  goes.resolve()
  await one.settled()
  expect(await store.content.list()).toMatchObject([{ name: "a", isStored: true }])
})

test("what a store does not take now is stored later", async () => {
  const { store, host, made, state, later, errors } = await opened()
  const session = await putSessions(store, root())
  const away = new DocketError("blobs_unavailable", "away")
  state.before = () => Promise.reject(away)
  const one = host("one")
  one.keep(session, { kind: "output", name: "a", file: await made("hello") })
  await one.settled()
  expect(errors).toEqual([away])
  state.before = async () => {}
  later.splice(0).forEach((run) => void run())
  await one.settled()
  expect(await textOf(host("two"), session.rootID, "a")).toBe("hello")
})

test("what a killed process had begun is stored by the next one", async () => {
  const { directory, store, host, made, state, waiting, errors } = await opened()
  const session = await putSessions(store, root())
  const begun = Promise.withResolvers<void>()
  state.before = () => {
    begun.resolve()
    return new Promise(() => {})
  }
  const file = await made("hello")
  host("one").keep(session, { kind: "output", name: "a", file })
  await begun.promise
  // The original goes meanwhile, and a half-written mark lies there.
  await rm(file)
  await writeFile(join(directory, "one/waiting/broken.json"), "{")
  state.before = async () => {}
  const next = host("one")
  next.start()
  await next.settled()
  expect(await textOf(host("two"), session.rootID, "a")).toBe("hello")
  expect(await waiting("one")).toEqual([])
  expect(errors).toEqual([])
})

test("nothing is kept for a session that was removed", async () => {
  const { store, host, made, waiting, errors } = await opened()
  const session = root()
  const one = host("one")
  one.keep(session, { kind: "output", name: "a", file: await made("hello") })
  await one.settled()
  expect([await store.content.list(), await waiting("one"), errors]).toEqual([[], [], []])
})

test("the newest content of a name stays", async () => {
  const { store, host, made } = await opened()
  const session = await putSessions(store, root())
  const one = host("one")
  for (const text of ["first", "second one", "third"]) {
    one.keep(session, { kind: "output", name: "a", file: await made(text) })
  }
  await one.settled()
  expect(await textOf(host("two"), session.rootID, "a")).toBe("third")
})

test("a damaged content is said by name, others are read", async () => {
  const { directory, store, host, made } = await opened()
  const session = await putSessions(store, root())
  const one = host("one")
  one.keep(session, { kind: "output", name: "bad", file: await made("hello") })
  one.keep(session, { kind: "output", name: "good", file: await made("all is well") })
  await one.settled()
  const bad = (await store.content.list()).find(({ name }) => name === "bad")
  const hash = bad?.hash ?? ""
  await writeFile(join(directory, "store/local", hash.slice(0, 2), hash), "hallo")
  const two = host("two")
  await expect(textOf(two, session.rootID, "bad")).rejects.toMatchObject({
    code: "content_missing",
    message: expect.stringMatching(/^The output bad .* is damaged there/),
  })
  expect(await textOf(two, session.rootID, "good")).toBe("all is well")
})

test("a copy that was cut on the disk is fetched again", async () => {
  const { directory, store, host, made } = await opened()
  const session = await putSessions(store, root())
  const one = host("one")
  one.keep(session, { kind: "output", name: "a", file: await made("hello") })
  await one.settled()
  const two = host("two")
  const row = await two.find(session.rootID, "output", "a")
  if (row === null) throw new Error("not stored")
  const copy = await two.fileOf(row)
  await writeFile(copy, "hell")
  expect(await readFile(await two.fileOf(row), "utf8")).toBe("hello")
  expect(copy.startsWith(join(directory, "two/copies"))).toBe(true)
})

type Act =
  | { kind: "keep"; session: number; name: number; content: number }
  | { kind: "remove"; session: number }
  | { kind: "collect" }

const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constant("keep"), session: fc.nat(3), name: fc.nat(2), content: fc.nat(3) }),
  fc.record({ kind: fc.constant("remove"), session: fc.nat(3) }),
  fc.constant({ kind: "collect" as const }),
)

test("no collection removes what a row names, however acts mix", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 25 }), async (acts) => {
      const { store, blobs, host, made } = await opened()
      const hosts = [host("one"), host("two")] as const
      const sessions = await Promise.all([0, 1, 2, 3].map(() => putSessions(store, root())))
      const files = await Promise.all([0, 1, 2, 3].map((index) => made(`content ${index}`)))
      // All contents are old to a collection: only rows keep them.
      const collect = () =>
        collectContents({ blobs, tenant: "local", store: store.content, clock: () => Date.now() + 2 * day })

      const removed = new Set<object>()
      await Promise.all(acts.map((one, index) => perform(one, index)))
      async function perform(one: Act, index: number): Promise<void> {
        // They begin one after the other, and go on side by side.
        await new Promise((resolve) => setImmediate(resolve))
        if (one.kind === "collect") return void (await collect())
        const session = sessions[one.session]
        if (session === undefined) return
        if (one.kind === "remove") {
          if (removed.has(session)) return
          removed.add(session)
          await removeSession(store, session.id)
        } else {
          const file = files[one.content] ?? ""
          await hosts[index % 2 === 0 ? 0 : 1].keepNow(session, { kind: "output", name: `${one.name}`, file })
        }
      }
      await Promise.all(hosts.map((each) => each.settled()))
      await collect()
      const rows = await store.content.list()
      for (const row of rows.filter(({ isStored }) => isStored)) {
        expect(await blobs.head({ tenant: "local", hash: row.hash })).toMatchObject({ size: row.size })
      }
      const named = new Set(rows.map(({ hash }) => hash))
      const left: string[] = []
      for await (const { hash } of blobs.list("local")) left.push(hash)
      expect(left.filter((hash) => !named.has(hash))).toEqual([])
      expect(rows.filter(({ isStored }) => !isStored)).toEqual([])
    }),
    drawn(15),
  )
})

async function removeSession(store: Store, sessionID: string): Promise<void> {
  await store.write.commit([{ rootID: sessionID, mutations: [{ kind: "session.remove", sessionID }] }])
}
