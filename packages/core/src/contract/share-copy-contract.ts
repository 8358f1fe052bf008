import { describe, expect, it } from "vitest"
import type { ShareRow } from "../ground/store/port/share-copy-store.ts"
import type { OpenStore } from "./make-store.ts"
import { newId, putSessions, root, share } from "./rows.ts"

export function shareCopyContract(open: OpenStore): void {
  const setUp = async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const link = share(session, "a")
    await store.share.put(link)
    return { store, session, link, copies: store.shareCopy }
  }

  function row(sessionID: string, fields: Partial<ShareRow> = {}): Omit<ShareRow, "seq"> {
    const id = newId("message")
    return { id, kind: "message", sessionID, messageID: null, hidden: {}, data: JSON.stringify({ id }), ...fields }
  }

  describe("the copy of a share", () => {
    it("is created once and empty, for a known and active share", async () => {
      const { copies, link, store } = await setUp()
      const empty = { cursor: 0, seq: 0, undone: {}, known: [], met: [], views: 0, viewed: null }
      expect([await copies.get(link.id), await copies.open(link.id), await copies.open(link.id)]).toEqual([
        null,
        empty,
        empty,
      ])
      await store.share.put({ ...link, time: { created: 1_000, revoked: 2_000 } })
      expect([await copies.open(link.id), await copies.open(newId("share"))]).toEqual([null, null])
    })

    it("is written together with its cursor, only from the current position", async () => {
      const { copies, link, session } = await setUp()
      await copies.open(link.id)
      const [first, second] = [row(session.id), row(session.id)]
      const write = {
        from: 0,
        to: 7,
        undone: { [session.id]: "msg_x" },
        known: ["digest"],
        met: [{ value: "v", label: "l" }],
      }
      expect(await copies.publish(link.id, { ...write, rows: [first, second] })).toEqual([
        { ...first, seq: 1 },
        { ...second, seq: 2 },
      ])
      expect(await copies.publish(link.id, { ...write, rows: [row(session.id)] })).toBeNull()
      expect(await copies.get(link.id)).toMatchObject({
        cursor: 7,
        seq: 2,
        undone: write.undone,
        known: ["digest"],
        met: write.met,
      })
      const newer = { ...first, data: "{}", hidden: { "AWS access key": 2 } }
      expect(await copies.publish(link.id, { ...write, from: 7, to: 8, rows: [newer] })).toEqual([{ ...newer, seq: 3 }])
      expect((await copies.changesSince(link.id, 1, 10)).map(({ id, seq }) => [id, seq])).toEqual([
        [second.id, 2],
        [first.id, 3],
      ])
      expect(await copies.hidden(link.id)).toEqual({ "AWS access key": 2 })
    })

    it("accepts only one of two writes from the same position", async () => {
      const { copies, link, session } = await setUp()
      await copies.open(link.id)
      const write = () =>
        copies.publish(link.id, { from: 0, to: 3, undone: {}, known: [], met: [], rows: [row(session.id)] })
      const accepted = (await Promise.all([write(), write()])).filter((rows) => rows !== null)
      expect(accepted).toHaveLength(1)
      expect(await copies.changesSince(link.id, 0, 10)).toHaveLength(1)
    })

    it("gives its messages in pages, with their parts, as a transcript does", async () => {
      const { copies, link, session } = await setUp()
      await copies.open(link.id)
      const messages = Array.from({ length: 5 }, () => row(session.id))
      const parts = messages.map(({ id }) => row(session.id, { id: newId("part"), kind: "part", messageID: id }))
      const others = [row(session.id, { id: session.id, kind: "session" }), row(newId("session"))]
      await copies.publish(link.id, {
        from: 0,
        to: 1,
        undone: {},
        known: [],
        met: [],
        rows: [...messages, ...parts, ...others],
      })
      const ids = messages.map(({ id }) => id)
      const page = async (query: object) => {
        const { messages, parts, before, after } = await copies.page(link.id, {
          sessionID: session.id,
          limit: 2,
          ...query,
        })
        expect(parts.map(({ messageID }) => messageID)).toEqual(messages.map(({ id }) => id))
        return [messages.map(({ id }) => ids.indexOf(id)), before && ids.indexOf(before), after && ids.indexOf(after)]
      }
      expect(await page({})).toEqual([[3, 4], 3, null])
      expect(await page({ before: ids[3] })).toEqual([[1, 2], 1, 2])
      expect(await page({ after: ids[0] })).toEqual([[1, 2], 1, 2])
      expect(await page({ around: parts[2]?.id })).toEqual([[1, 2], 1, 2])
      expect(await page({ around: newId("part") })).toEqual([[3, 4], 3, null])
      expect(await page({ limit: 50 })).toEqual([[0, 1, 2, 3, 4], null, null])
      const [second = ""] = parts.slice(1).map(({ id }) => id)
      expect(await copies.part(link.id, second)).toMatchObject({ id: second, messageID: ids[1], sessionID: session.id })
      expect([await copies.part(link.id, ids[1] ?? ""), await copies.part(link.id, newId("part"))]).toEqual([
        null,
        null,
      ])
      expect((await copies.rows(link.id, ["session", "todos"])).map(({ id }) => id)).toEqual([session.id])
    })

    it("counts visits and disappears with its share or session", async () => {
      const { copies, link, session, store } = await setUp()
      await copies.visit(link.id, 5)
      await copies.open(link.id)
      await copies.visit(link.id, 6)
      await copies.visit(link.id, 7)
      expect(await copies.get(link.id)).toMatchObject({ views: 2, viewed: 7 })
      await copies.remove(link.id)
      expect(await copies.get(link.id)).toBeNull()
      await copies.open(link.id)
      await copies.publish(link.id, { from: 0, to: 1, undone: {}, known: [], met: [], rows: [row(session.id)] })
      await store.write.commit([{ rootID: session.id, mutations: [{ kind: "session.remove", sessionID: session.id }] }])
      expect([await copies.get(link.id), await copies.changesSince(link.id, 0, 10)]).toEqual([null, []])
      expect(
        await copies.publish(link.id, { from: 1, to: 2, undone: {}, known: [], met: [], rows: [row(session.id)] }),
      ).toBeNull()
    })
  })
}
