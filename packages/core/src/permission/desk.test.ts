import { expect, test } from "vitest"
import { createBus } from "../event/bus.ts"
import { createEndings } from "../event/endings.ts"
import { createJournal } from "../event/journal.ts"
import { createIdSource } from "../id/create-id.ts"
import type { PermissionRequest, PermissionRule } from "../schema/index.ts"
import { createInMemoryStore, type Store } from "../store/index.ts"
import { newSession } from "../test/entities.ts"
import { createPermissionDesk } from "./desk.ts"
import { PermissionDeniedError } from "./error.ts"

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
    return createPermissionDesk({ store: permission, write, journal, endings, isShared: true, createID, clock })
  }
  const session = newSession(createID)
  await store.write.commit([{ rootID: session.id, mutations: [{ kind: "session", value: session }] }])
  const one = deskOn({ ...store, ...wrap.one?.(store) })
  const pending = async (count: number): Promise<PermissionRequest[]> => {
    const read = () => store.permission.pending()
    await expect.poll(async () => (await read()).length).toBe(count)
    return read()
  }
  const ask = (pattern: string, action: PermissionRule["action"] = "ask") => {
    const metadata = { kind: "other" as const }
    const request = { permission: "bash", patterns: [pattern], always: ["echo *"], metadata }
    const rules = [{ permission: "*", pattern: "*", action }]
    const place = { messageID: createID("message"), callID: pattern, signal: new AbortController().signal }
    const asked = one.ask({ session, rules, ceilings: [], request, ...place })
    asked.catch(() => {})
    return asked
  }
  return { store, one, other: deskOn({ ...store, ...wrap.other?.(store) }), ask, pending }
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
  await expect(other.reply(id, { reply: "always", by })).rejects.toMatchObject({ code: "permission_request_answered" })
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
