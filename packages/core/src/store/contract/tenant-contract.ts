import { afterEach, describe, expect, it } from "vitest"
import { UnknownTreeError } from "../../error.ts"
import type { Mutation, Store, TenantDatabase } from "../port.ts"
import { newId, permissionRequest, putSessions, root, share, textPart, todo, turn, userMessage } from "./rows.ts"

/** Opens a database that holds nothing of the two tenants. `dispose` closes it and cleans up. */
export type MakeTenants = () => Promise<{
  database: TenantDatabase
  tenants: [string, string]
  dispose: () => Promise<void>
}>

/** Declares the suite for stores that keep several tenants in one database. */
export function tenantContract(name: string, makeTenants: MakeTenants): void {
  describe(`tenants: ${name}`, () => {
    const opened: (() => Promise<void>)[] = []
    const openDatabase = async () => {
      const { database, tenants, dispose } = await makeTenants()
      opened.push(dispose)
      return { database, tenants }
    }
    const open = async (): Promise<[Store, Store]> => {
      const { database, tenants } = await openDatabase()
      return [database.store(tenants[0]), database.store(tenants[1])]
    }
    afterEach(async () => {
      for (const dispose of opened.splice(0)) await dispose()
    })

    it("never shows one tenant what another stored", async () => {
      const [mine, other] = await open()
      const rows = await fill(mine)
      expect((await everything(other, rows)).flat()).toEqual(Array(5).fill(null))
      expect((await everything(mine, rows)).flat()).not.toContain(null)
    })

    it("refuses writes to a tree of another tenant", async () => {
      const [mine, other] = await open()
      const { session, work } = await fill(mine)
      const mutations: Mutation[] = [{ kind: "session.patch", sessionID: session.id, patch: { title: "Stolen" } }]
      await expect(other.write.commit([{ rootID: session.id, mutations }])).rejects.toThrow(UnknownTreeError)
      const link = share(session, "b")
      await expect(other.share.put(link)).rejects.toThrow(UnknownTreeError)
      expect(await other.write.claimTurn(work.id, 1)).toBeNull()
      expect(await mine.session.get(session.id)).toEqual(session)
    })

    it("keeps rows of one id, and todo numbers, apart", async () => {
      const [mine, other] = await open()
      const session = root({ title: "Mine" })
      await putSessions(mine, session)
      await putSessions(other, { ...session, title: "Other" })
      const remove: Mutation = { kind: "session.remove", sessionID: session.id }
      await other.write.commit([{ rootID: session.id, mutations: [remove] }])
      expect(await mine.session.get(session.id)).toEqual(session)
      expect([await mine.write.reserveTodoNumbers(5), await other.write.reserveTodoNumbers(1)]).toEqual([1, 1])
    })
  })
}

async function fill(store: Store) {
  const session = root()
  const message = userMessage(session)
  const part = textPart(message)
  const work = turn(session)
  const request = permissionRequest(session)
  const link = share(
    session,
    newId("share")
      .slice(4)
      .replaceAll(/[^0-9a-f]/g, "0"),
  )
  await putSessions(store, session)
  const mutations: Mutation[] = [
    { kind: "message", value: message },
    { kind: "part", value: part },
    { kind: "todos", sessionID: session.id, value: [todo(session, 0)] },
    { kind: "turn", value: work },
    { kind: "permission", value: request },
  ]
  await store.write.commit([{ rootID: session.id, mutations }])
  await store.share.put(link)
  return { session, part, work, request, link }
}

/** All that the tenant can read of the rows: lists first (for strangers they are empty), then each row. */
async function everything(store: Store, rows: Awaited<ReturnType<typeof fill>>) {
  const { session, part, work, request, link } = rows
  return [
    (await store.session.listRoots({ archived: false, limit: 10 })).items,
    await store.session.tree(session.id),
    await store.turn.open(),
    await store.permission.pending(),
    await store.todo.list(session.id),
    await store.feed.changesSince(session.id, 0, 10),
    (await store.transcript.page({ sessionID: session.id, limit: 10 })).items,
    await store.share.list(session.id),
    await store.session.get(session.id),
    await store.transcript.part(part.id),
    await store.turn.get(work.id),
    await store.permission.get(request.id),
    await store.share.byHash(link.secretHash),
  ]
}
