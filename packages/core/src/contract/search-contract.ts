import { expect, it } from "vitest"
import type { Session, TextPart } from "../schema/index.ts"
import type { Mutation, Store } from "../store/port.ts"
import type { OpenStore } from "./make-store.ts"
import { assistantMessage, childOf, putSessions, root, textPart, toolPart, userMessage } from "./rows.ts"

const time = (updated: number, archived: number | null = null) => ({ created: 1_000, updated, archived })

/** A prompt with its answer; answers with both text parts. */
async function say(store: Store, session: Session, prompt: string, reply: string) {
  const asked = userMessage(session)
  const told = assistantMessage(session)
  const parts: [TextPart, TextPart] = [textPart(asked, prompt), textPart(told, reply)]
  const mutations: Mutation[] = [
    { kind: "message", value: asked },
    { kind: "part", value: parts[0] },
    { kind: "message", value: told },
    { kind: "part", value: parts[1] },
  ]
  await store.write.commit([{ rootID: session.rootID, mutations }])
  return { parts, messageID: asked.id }
}

const look = (store: Store, ...words: string[]) => store.search.texts({ words, limit: 10, walk: 100 })
const idsOf = ({ found }: { found: { part: TextPart }[] }) => found.map(({ part }) => part.id)

export function searchContract(open: OpenStore): void {
  it("finds prompts and answers of any session, newest first, by all words in any order and case", async () => {
    const store = await open()
    const top = root()
    const child = childOf(top)
    await putSessions(store, top, child)
    const { parts: first } = await say(store, top, "Why does the Parser hang?", "It waits for a lock.")
    const { parts: second } = await say(store, child, "Look at the lock", "The PARSER holds the lock twice.")
    const both = await look(store, "lock", "parser")
    expect(both).toEqual({ found: [{ session: child, role: "assistant", part: second[1] }], next: null })
    expect(idsOf(await look(store, "LOCK"))).toEqual([second[1].id, second[0].id, first[1].id])
    expect(await look(store, "parser", "nowhere")).toEqual({ found: [], next: null })
  })

  it("takes words as they are: no wildcards, no names of fields, quotes and backslashes too", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const { parts } = await say(store, session, '100% of "C:\\temp_x"', "Ünïcödé, 中文 and\nlines")
    for (const word of ["100%", '"C:\\temp', "temp_x"]) expect(idsOf(await look(store, word))).toEqual([parts[0].id])
    for (const word of ["Ünï", "中文", "lines"]) expect(idsOf(await look(store, word))).toEqual([parts[1].id])
    for (const word of ["%emp", "te_p", "sessionID", "messageID", '"type"', "'", "a\0b"])
      expect(idsOf(await look(store, word))).toEqual([])
  })

  it("finds neither what was added for the model, nor calls of tools", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const message = userMessage(session)
    const call = toolPart(message, { status: "pending", input: {}, raw: "needle" })
    const mutations: Mutation[] = [
      { kind: "message", value: message },
      { kind: "part", value: { ...textPart(message, "needle"), synthetic: true } },
      { kind: "part", value: call },
    ]
    await store.write.commit([{ rootID: session.id, mutations }])
    expect(idsOf(await look(store, "needle"))).toEqual([])
  })

  it("does not find what is undone, archived or removed", async () => {
    const store = await open()
    const [undone, archived, removed] = [root(), root({ time: time(1, 2) }), root()]
    for (const session of [undone, archived, removed]) await putSessions(store, session)
    const child = childOf(archived)
    await putSessions(store, child)
    const { parts: kept } = await say(store, undone, "needle kept", "yes")
    const { messageID } = await say(store, undone, "needle undone", "needle undone too")
    await say(store, archived, "needle archived", "yes")
    await say(store, child, "needle below it", "yes")
    await say(store, removed, "needle removed", "yes")
    const files = { state: "kept" as const, before: null, after: null, count: 0, paths: [], left: [], note: null }
    const revert = { messageID, messages: 2, mark: "tdc", at: 1, children: [], files }
    await store.write.commit([
      { rootID: undone.id, mutations: [{ kind: "session.patch", sessionID: undone.id, patch: { revert } }] },
      { rootID: removed.id, mutations: [{ kind: "session.remove", sessionID: removed.id }] },
    ])
    expect(idsOf(await look(store, "needle"))).toEqual([kept[0].id])
  })

  it("walks a stretch of parts at a time, and says where to go on until the end", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const said: string[] = []
    for (let index = 0; index < 5; index++) {
      const { parts } = await say(store, session, `needle ${index}`, "hay")
      said.unshift(parts[0].id)
    }
    const found: string[] = []
    let before: string | undefined
    let walks = 0
    do {
      const walk = await store.search.texts({ words: ["needle"], limit: 10, walk: 3, before })
      found.push(...idsOf(walk))
      before = walk.next ?? undefined
      walks++
    } while (before !== undefined && walks < 10)
    expect(found).toEqual(said)
    expect(walks).toBe(4)
    const page = await store.search.texts({ words: ["needle"], limit: 2, walk: 100 })
    expect([idsOf(page), page.next]).toEqual([said.slice(0, 2), said[1]])
  })

  it("finds sessions of any depth by the words of their titles, most recently updated first", async () => {
    const store = await open()
    const top = root({ title: "Mend the parser", time: time(1_000) })
    const child = childOf(top, { title: "Parser: find what hangs", time: time(2_000) })
    const other = root({ title: "Parser of 100%", time: time(3_000, 4_000) })
    await putSessions(store, top, child)
    await putSessions(store, other)
    await putSessions(store, childOf(other, { title: "parser below an archived one" }))
    const titles = async (...words: string[]) => (await store.search.titles({ words, limit: 10 })).map(({ id }) => id)
    expect(await titles("PARSER")).toEqual([child.id, top.id])
    expect(await titles("hangs", "parser")).toEqual([child.id])
    expect(await titles("%")).toEqual([])
  })
}
