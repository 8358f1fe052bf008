import { expect, test } from "vitest"
import { createBus } from "../event/bus.ts"
import { createEndings } from "../event/endings.ts"
import { createJournal } from "../event/journal.ts"
import { createIdSource } from "../id/create-id.ts"
import type { PermissionRequest, PermissionRule, Session } from "../schema/index.ts"
import { createInMemoryStore, type Store } from "../store/index.ts"
import { newSession } from "../test/entities.ts"
import { createPermissionDesk } from "./desk.ts"
import { PermissionDeniedError } from "./error.ts"
import type { PermissionAsk } from "./permission-ask.ts"

const by = { person: "local", workspace: "local" }

/** Desks of two runtimes on one store, and a session whose calls ask at the first. */
async function twoDesks(
  wrap: { one?: (store: Store) => Partial<Store>; other?: (store: Store) => Partial<Store> } = {},
) {
  const createID = createIdSource()
  const store = createInMemoryStore()
  const clock = () => 1
  const deskOn = ({ write, permission }: Store) => {
    const onError = (error: unknown) => {
      throw error
    }
    const bus = createBus(onError)
    const journal = createJournal({ store: { write }, bus })
    const endings = createEndings({ bus, onError })
    return createPermissionDesk({
      store: permission,
      sessions: store.session,
      write,
      journal,
      endings,
      isShared: true,
      createID,
      clock,
    })
  }
  const root = newSession(createID)
  await store.write.commit([{ rootID: root.id, mutations: [{ kind: "session", value: root }] }])
  const one = deskOn({ ...store, ...wrap.one?.(store) })
  const pending = async (count: number): Promise<PermissionRequest[]> => {
    const read = () => store.permission.pending()
    await expect.poll(async () => (await read()).length).toBe(count)
    return read()
  }
  const child = { ...newSession(createID), parentID: root.id, rootID: root.id }
  const grandchild = { ...newSession(createID), parentID: child.id, rootID: root.id }
  const below = [child, grandchild].map((value) => ({ kind: "session" as const, value }))
  await store.write.commit([{ rootID: root.id, mutations: below }])
  const ask = (
    pattern: string,
    action: PermissionRule["action"] = "ask",
    {
      asks: session = root,
      metadata = { kind: "other" },
    }: Partial<{ asks: Session } & Pick<PermissionAsk, "metadata">> = {},
  ) => {
    const request = { permission: "bash", patterns: [pattern], always: ["echo *"], metadata }
    const rules = [{ permission: "*", pattern: "*", action }]
    const place = { messageID: createID("message"), callID: pattern, signal: new AbortController().signal }
    const asked = one.ask({ session, rules, ceilings: [], request, ...place })
    asked.catch(() => {})
    return asked
  }
  return { store, one, other: deskOn({ ...store, ...wrap.other?.(store) }), ask, pending, root, child, grandchild }
}

test("what a rejection ends with it may still be on its way to the store", async () => {
  const held = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { store, one, ask, pending } = await twoDesks({
    one: ({ write }) => ({
      write: {
        ...write,
        async commit(batches) {
          if (JSON.stringify(batches).includes("echo two")) {
            begun.resolve()
            await held.promise
          }
          return write.commit(batches)
        },
      },
    }),
  })
  const first = ask("echo one")
  const [request] = await pending(1)
  const second = ask("echo two")
  await begun.promise
  const replied = one.reply(request?.id ?? "", { reply: "reject", by })
  await expect(first).rejects.toThrow()
  held.resolve()
  expect((await replied).status).toBe("rejected")
  await expect(second).rejects.toThrow()
  expect(await store.permission.pending()).toEqual([])
})

test("an answer for good that comes after another answer grants nothing", async () => {
  let late = async () => {}
  const { store, one, other, ask, pending } = await twoDesks({
    other: ({ permission }) => ({
      permission: {
        ...permission,
        async get(id) {
          const row = await permission.get(id)
          await late()
          return row
        },
      },
    }),
  })
  const asked = ask("echo one")
  const [request] = await pending(1)
  const id = request?.id ?? ""
  late = async () => {
    late = async () => {}
    await one.reply(id, { reply: "reject", by })
  }
  await expect(other.reply(id, { reply: "always", by })).rejects.toMatchObject({
    code: "permission_request_answered",
    message: "This was rejected by you elsewhere before your answer came. Your answer changed nothing.",
  })
  await expect(asked).rejects.toThrow()
  expect(await store.permission.grants(request?.rootID ?? "")).toEqual([])
})

test("an answer for good that another runtime took lets through what waits, before its grants are stored", async () => {
  const { one, ask, pending } = await twoDesks()
  const asked = [ask("echo one"), ask("echo two")]
  const [request] = await pending(2)
  if (request === undefined) throw new Error("no request")
  await one.hear({ ...request, status: "always" })
  await Promise.all(asked)
})

test("grants are read for what the rules leave open, and for nothing else", async () => {
  let reads = 0
  const { ask, one, pending } = await twoDesks({
    one: ({ permission }) => ({
      permission: {
        ...permission,
        grants(rootID) {
          reads += 1
          return permission.grants(rootID)
        },
      },
    }),
  })
  await ask("echo one", "allow")
  await expect(ask("echo one", "deny")).rejects.toThrow(PermissionDeniedError)
  expect(reads).toBe(0)
  const asked = ask("echo one")
  const [request] = await pending(1)
  expect(reads).toBe(1)
  await one.reply(request?.id ?? "", { reply: "always", by })
  await asked
  await ask("echo two")
})

test("allowing the same for a task covers the task and what it delegates, and nothing beside it", async () => {
  const { store, one, ask, pending, root, child, grandchild } = await twoDesks()
  const ofTask = ask("echo one", "ask", { asks: child })
  const [request] = await pending(1)
  const waiting = ask("echo two", "ask", { asks: grandchild })
  const beside = ask("echo three", "ask", { asks: root })
  await pending(3)
  const closed = await one.reply(request?.id ?? "", { reply: "always", remember: { within: "task" }, by })
  await Promise.all([ofTask, waiting])
  await ask("echo later", "ask", { asks: grandchild })
  expect(closed.remembered).toEqual({ patterns: ["echo *"], sessionID: child.id })
  expect(await store.permission.grants(root.id)).toMatchObject([{ sessionID: child.id, pattern: "echo *" }])
  const [left] = await pending(1)
  expect(left?.sessionID).toBe(root.id)
  await one.reply(left?.id ?? "", { reply: "once", by })
  await beside
})

test("an answer for a task that another runtime took covers no more than the task", async () => {
  const { one, other, ask, pending, root, child } = await twoDesks()
  const ofTask = ask("echo one", "ask", { asks: child })
  const [request] = await pending(1)
  void ask("echo two", "ask", { asks: root })
  await pending(2)
  await one.hear(await other.reply(request?.id ?? "", { reply: "always", remember: { within: "task" }, by }))
  await ofTask
  expect((await pending(1)).map(({ sessionID }) => sessionID)).toEqual([root.id])
})

test("always remembers what the person typed, and exactly that", async () => {
  const { store, one, ask, pending, root } = await twoDesks()
  const asked = ask("echo one")
  const [request] = await pending(1)
  const remember = { patterns: [" echo one ", "printf *", "echo one"] }
  await one.reply(request?.id ?? "", { reply: "always", remember, by })
  await asked
  expect((await store.permission.grants(root.id)).map(({ permission, pattern }) => [permission, pattern])).toEqual([
    ["bash", "echo one"],
    ["bash", "printf *"],
  ])
  await ask("printf 1")
  void ask("echo two")
  expect(await pending(1)).toMatchObject([{ patterns: ["echo two"] }])
})

test.each([
  ["nothing", []],
  ["an empty pattern", ["echo *", "  "]],
  ["characters that nobody sees", ["echo \u202e*"]],
  ["a line break", ["echo\nrm *"]],
  ["too many patterns", Array.from({ length: 51 }, (_, index) => `echo ${index}`)],
  ["a pattern without end", ["e".repeat(2_001)]],
])("an answer that would remember %s is refused, and the request still waits", async (_, patterns) => {
  const { store, one, other, ask, pending, root } = await twoDesks()
  const asked = ask("echo one")
  const [request] = await pending(1)
  const answer = { reply: "always", remember: { patterns }, by } as const
  await expect(one.reply(request?.id ?? "", answer)).rejects.toMatchObject({ code: "invalid_input" })
  await expect(other.reply(request?.id ?? "", answer)).rejects.toMatchObject({ code: "invalid_input" })
  expect(await store.permission.grants(root.id)).toEqual([])
  await one.reply((await pending(1))[0]?.id ?? "", { reply: "once", by })
  await asked
})

test("a request says why it is asked, and what it is about is looked up only then", async () => {
  let looked = 0
  const metadata = async () => {
    looked += 1
    return { kind: "other" as const, title: "Say one" }
  }
  const { ask, pending } = await twoDesks()
  await ask("echo one", "allow", { metadata })
  expect(looked).toBe(0)
  void ask("echo one", "ask", { metadata })
  const rule = { permission: "*", pattern: "*", action: "ask" }
  expect(await pending(1)).toMatchObject([
    { metadata: { title: "Say one" }, reasons: [{ why: "rule", patterns: ["echo one"], rule }] },
  ])
  expect(looked).toBe(1)
})

test("a rejection ends what is still being looked up for its question", async () => {
  const held = Promise.withResolvers<{ kind: "other" }>()
  const { one, ask, pending } = await twoDesks()
  const first = ask("echo one")
  const [request] = await pending(1)
  const looking = Promise.withResolvers<void>()
  const metadata = () => {
    looking.resolve()
    return held.promise
  }
  const second = ask("echo two", "ask", { metadata })
  await looking.promise
  await one.reply(request?.id ?? "", { reply: "reject", by })
  held.resolve({ kind: "other" })
  await expect(first).rejects.toThrow()
  await expect(second).rejects.toThrow()
  expect(await pending(0)).toEqual([])
})
