import { expect, it } from "vitest"
import type { Mutation } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import {
  configTrust,
  memory,
  newId,
  putRun,
  putSessions,
  root,
  schedule,
  scheduleRun,
  tenantTodo,
  textPart,
  todoChange,
  userMessage,
} from "./rows.ts"

/** Text that some database refuses, cuts or misreads. */
const odd = "nul \0, half a pair \ud83d, other half \udc00, whole 😀, % _ \\ ' \""

/** Tests that hold although databases limit the number of parameters, and treat some texts in a special way. */
export function limitsContract(open: OpenStore): void {
  it("reads a transcript of more messages than a statement may name", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const items = Array.from({ length: 5_100 }, () => userMessage(session)).map((info) => ({
      info,
      parts: [textPart(info)],
    }))
    const mutations = items.flatMap(({ info, parts }): Mutation[] => [
      { kind: "message", value: info },
      ...parts.map((value) => ({ kind: "part" as const, value })),
    ])
    await store.write.commit([{ rootID: session.id, mutations }])
    expect(await store.transcript.sinceCompaction(session.id)).toEqual(items)
    const page = await store.transcript.page({ sessionID: session.id, limit: 1_200 })
    expect(page).toEqual({ items: items.slice(-1_200), before: items.at(-1_200)?.info.id, after: null })
  })

  it("lists more sessions than an id list may contain", async () => {
    const store = await open()
    const sessions = Array.from({ length: 1_100 }, (_, number) =>
      root({ title: `Item ${number}`, time: { created: 1, updated: number, archived: null } }),
    )
    const batches = sessions.map((value) => ({ rootID: value.id, mutations: [{ kind: "session" as const, value }] }))
    await store.write.commit(batches)
    for (const search of [undefined, "item"]) {
      const { items, cursor } = await store.session.listRoots({ search, archived: false, limit: 1_050 })
      expect(items.map(({ session }) => session.id)).toEqual(
        sessions
          .toReversed()
          .slice(0, 1_050)
          .map(({ id }) => id),
      )
      expect(cursor).not.toBeNull()
    }
  })

  it("treats database wildcards in searches and tags as plain text", async () => {
    const store = await open()
    const titles = ["100% done", "100 done", "a_b", "axb", "back\\slash", "Fünf"]
    for (const title of titles) await putSessions(store, root({ title }))
    const found = async (search: string) =>
      (await store.session.listRoots({ search, archived: false, limit: 9 })).items.map(({ session }) => session.title)
    expect(await found("0%")).toEqual(["100% done"])
    expect(await found("_B")).toEqual(["a_b"])
    expect(await found("\\")).toEqual(["back\\slash"])
    expect([await found("FüNF"), await found("FÜNF")]).toEqual([["Fünf"], []])
    const tags = ["100%", "100", "a_b", "axb", "A_B", "ü", "%C3%BC", "a b"]
    for (const [index, tag] of tags.entries()) await store.memory.put(memory(index + 1, { tags: [tag, "all"] }))
    for (const tag of tags) {
      expect((await store.memory.list({ tag, limit: 9 })).map((entry) => entry.tags[0])).toEqual([tag])
    }
    expect(await store.memory.list({ tag: "all", limit: 99 })).toHaveLength(tags.length)
    expect([await store.memory.list({ tag: "a", limit: 9 }), await store.memory.list({ tag: "%", limit: 9 })]).toEqual([
      [],
      [],
    ])
  })

  it("stores and finds text with NUL and lone surrogates unchanged", async () => {
    const store = await open()
    const session = root({ title: odd, agent: odd, origin: { messageID: odd, callID: odd } })
    const message = userMessage(session, { agent: odd, system: odd })
    const part = textPart(message, odd)
    await store.write.commit([
      {
        rootID: session.id,
        mutations: [
          { kind: "session", value: session },
          { kind: "message", value: message },
          { kind: "part", value: part },
        ],
      },
    ])
    expect(await store.session.get(session.id)).toEqual(session)
    expect((await store.transcript.page({ sessionID: session.id, limit: 1 })).items).toEqual([
      { info: message, parts: [part] },
    ])
    const [entry, item] = [
      memory(1, { title: odd, content: odd, tags: [odd] }),
      tenantTodo(1, { content: odd, agent: odd }),
    ]
    await store.memory.put(entry)
    await store.todo.putTenantWide(item, todoChange(null, item, { actor: { kind: "user", name: odd } }))
    expect(await store.memory.list({ tag: odd, limit: 9 })).toEqual([entry])
    expect(await store.todo.find({ scope: { kind: "all" }, agent: odd, limit: 9 })).toEqual([item])
    const time = { created: 1, opened: 1 }
    const project = { id: newId("project"), name: odd, directory: `/${odd}`, worktree: odd, git: false, time }
    await store.project.put(project)
    expect(await store.project.byDirectory(project.directory)).toEqual(project)
    const plan = schedule(1, { phrase: odd, message: odd })
    const run = scheduleRun(plan, { summary: odd, error: odd })
    await store.schedule.put(plan)
    await putRun(store, run)
    expect([await store.schedule.list(), await store.schedule.runs({ limit: 9 })]).toEqual([[plan], [run]])
    const grant = { id: newId("permission"), rootID: session.id, permission: odd, pattern: odd, createdAt: 1 }
    await store.permission.addGrants([grant])
    expect(await store.permission.grants(session.id)).toEqual([grant])
    const trust = configTrust(`/${odd}`, "a")
    await store.trust.put(trust)
    expect(await store.trust.list(trust.directory)).toEqual([trust])
  })
}
