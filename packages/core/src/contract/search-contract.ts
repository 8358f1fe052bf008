import { expect, it } from "vitest"
import { parseSearch } from "../ground/query/index.ts"
import type { Session, TextPart, ToolPart } from "../ground/schema/index.ts"
import type { Mutation, Store } from "../ground/store/port/index.ts"
import type { OpenStore } from "./make-store.ts"
import { assistantMessage, childOf, putSessions, root, task, textPart, toolPart, userMessage, verdict } from "./rows.ts"

const time = (updated: number, archived: number | null = null) => ({ created: 1_000, updated, archived })
const context = { now: Date.UTC(2026, 10, 22), utcOffset: 0, person: "ann", isTyping: false }

/** Writes a prompt with its answer; returns both text parts. */
async function say(store: Store, session: Session, prompt: string, reply: string) {
  const asked = userMessage(session, { by: { person: "Ann", workspace: "local" } })
  const answer = assistantMessage(session, { agent: session.agent })
  const parts: [TextPart, TextPart] = [textPart(asked, prompt), textPart(answer, reply)]
  const mutations: Mutation[] = [
    { kind: "message", value: asked },
    { kind: "part", value: parts[0] },
    { kind: "message", value: answer },
    { kind: "part", value: parts[1] },
  ]
  await store.write.commit([{ rootID: session.rootID, mutations }])
  return { parts, messageID: asked.id }
}

async function call(store: Store, session: Session, tool: string, state: ToolPart["state"]): Promise<ToolPart> {
  const message = assistantMessage(session, { agent: session.agent })
  const part = { ...toolPart(message, state), tool }
  const mutations: Mutation[] = [
    { kind: "message", value: message },
    { kind: "part", value: part },
  ]
  await store.write.commit([{ rootID: session.rootID, mutations }])
  return part
}

const ran = (input: unknown, output: string, metadata: Record<string, unknown> = {}) =>
  ({ status: "completed", input, output, title: "", metadata, time: { start: 1, end: 2 } }) as const

async function indexAll(store: Store): Promise<void> {
  while (await store.search.index(2));
}

/** The ids that a query finds. */
async function look(store: Store, text: string): Promise<string[]> {
  await indexAll(store)
  const { ask } = parseSearch(text, context)
  if (ask === null) return []
  const { found } = await store.search.find({ ask, limit: 10 })
  return found.map(({ id }) => id)
}

export function searchContract(open: OpenStore): void {
  it("finds prompts, answers and calls, newest first, by all words", async () => {
    const store = await open()
    const top = root()
    const child = childOf(top)
    await putSessions(store, top, child)
    const { parts: first } = await say(store, top, "Why does the Parser hang?", "It waits for a lock.")
    const { parts: second } = await say(store, child, "Look at the lock", "The PARSER holds the lock twice.")
    const third = await call(store, child, "bash", ran({ command: "grep lock" }, "src/parser.ts: 12"))
    const { ask } = parseSearch("lock parser twice", context)
    await indexAll(store)
    const place = { kind: "answer", rootID: top.id, sessionID: child.id, messageID: second[1].messageID }
    const found = ask && (await store.search.find({ ask, limit: 10 }))
    expect(found).toEqual({ found: [{ ...place, id: second[1].id, at: expect.any(Number) }], next: null })
    expect(await look(store, "LOCK")).toEqual([third.id, second[1].id, second[0].id, first[1].id])
    expect(await look(store, "parser lock")).toEqual([third.id, second[1].id])
    expect(await look(store, "parser nowhere")).toEqual([])
  })

  it("matches whole words, star prefixes and phrases, and excludes minus terms", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const { parts } = await say(store, session, "Mend the broken parser", "The parser is mended now")
    const [asked, answer] = [parts[0].id, parts[1].id]
    expect(await look(store, "pars")).toEqual([])
    expect(await look(store, "pars*")).toEqual([answer, asked])
    expect(await look(store, '"the broken parser"')).toEqual([asked])
    expect(await look(store, '"parser the"')).toEqual([])
    expect(await look(store, "parser -broken")).toEqual([answer])
    expect(await look(store, 'parser -"is mended"')).toEqual([asked])
    expect(await look(store, "parser -mend*")).toEqual([])
    expect(await look(store, '"the parser')).toEqual([answer])
  })

  it("finds names in code, paths, words with accents and any Japanese substring", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const { parts } = await say(
      store,
      session,
      "parseQuery in src/main.ts calls foo_bar of HTTPServer",
      "Ünïcödé ﬁnd 日本語の文中 ＡＢＣ",
    )
    const [names, scripts] = [parts[0].id, parts[1].id]
    for (const text of [
      "parseQuery",
      "parsequery",
      "query",
      "PARSE",
      "src/main.ts",
      "main.ts",
      "foo_bar",
      "bar",
      "http",
      "httpserver",
      "parseQ*",
    ])
      expect([text, await look(store, text)]).toEqual([text, [names]])
    for (const text of ["unicode", "ÜNÏCÖDÉ", "find", "本語", "の", "中", '"日本語の文中"', "abc"])
      expect([text, await look(store, text)]).toEqual([text, [scripts]])
    for (const text of ["語本", "bar_foo", "main.tsx", "seQuery", "queryParse"])
      expect([text, await look(store, text)]).toEqual([text, []])
  })

  it("treats what is special to databases as words or ignores it", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const { parts } = await say(store, session, '100% of "C:\\temp_x" AND NOT near(x) OR y', "hay")
    const hit = [parts[0].id]
    // Each is read as one phrase ("words y", "x y"), which the prompt does not contain.
    const unknown = ["words:y", "{words}:y", "x*y"]
    for (const text of [
      "100%",
      '"C:\\temp',
      "temp_x",
      "AND",
      "NOT",
      "NEAR(x)",
      "OR y",
      "words:y",
      "{words}:y",
      "y'",
      "x*y",
    ])
      expect([text, await look(store, text)]).toEqual([text, unknown.includes(text) ? [] : hit])
    for (const text of [
      "%emp",
      "te_p",
      "sessionID",
      '"type"',
      "'",
      "a\0b",
      "''; DROP",
      "\ud800",
      "(",
      '"',
      "* *",
      "^y^ !z",
    ])
      expect([text, await look(store, text)]).toEqual([text, []])
  })

  it("filters by agent, tool, kind, person, file and tree, also negated", async () => {
    const store = await open()
    const top = root({ title: "needle top", agent: "build" })
    const child = childOf(top, { title: "needle child", agent: "Explore" })
    const other = root({ title: "other" })
    await putSessions(store, top, child)
    await putSessions(store, other)
    const { parts } = await say(store, top, "needle asked", "needle told")
    const read = await call(store, child, "read", ran({ filePath: "/p/src/a.ts" }, "needle", { file: "src/a.ts" }))
    const { parts: far } = await say(store, other, "needle far", "x")
    const [asked, answer, called, elsewhere] = [parts[0].id, parts[1].id, read.id, far[0].id]
    expect(await look(store, "needle agent:explore kind:tool")).toEqual([called])
    expect(await look(store, "tool:READ")).toEqual([called])
    expect(await look(store, "needle kind:prompts -tree:x")).toEqual([elsewhere, asked])
    expect(await look(store, "needle kind:answer kind:tool")).toEqual([called, answer])
    expect(await look(store, "needle kind:child")).toEqual([child.id])
    expect(await look(store, "needle kind:title")).toEqual([top.id])
    expect(await look(store, "needle by:me")).toEqual([elsewhere, asked])
    expect(await look(store, "needle by:bob")).toEqual([])
    for (const file of ["src/a.ts", "a.ts", "src/", "p/src"])
      expect(await look(store, `file:${file}`)).toEqual([called])
    expect(await look(store, "file:a.tsx")).toEqual([])
    expect(await look(store, `needle tree:${top.id} -kind:title -kind:child -tool:read`)).toEqual([answer, asked])
    expect(await look(store, `needle tree:${top.id} -file:src -agent:build`)).toEqual([child.id])
  })

  it("filters by status of calls and sessions, cost, verdict and time", async () => {
    const store = await open()
    const ended = (how: "completed" | "failed") => ({ ended: { at: 2_000, how } })
    const top = root({ cost: 0.25, ...ended("completed") })
    const child = childOf(top, { cost: 2, title: "child", ...ended("failed") })
    await putSessions(store, top, child)
    const { parts } = await say(store, top, "needle", "hay")
    const { parts: below } = await say(store, child, "needle", "hay")
    const failed = await call(store, top, "bash", ran({ command: "needle" }, "", { exit: 1 }))
    const [above, lower, broken] = [parts[0].id, below[0].id, failed.id]
    expect(await look(store, "needle status:failed")).toEqual([broken, lower])
    expect(await look(store, "needle status:done")).toEqual([above])
    expect(await look(store, "needle status:running")).toEqual([])
    expect(await look(store, "needle cost:>0.5")).toEqual([lower])
    expect(await look(store, "needle cost:>=0.25 cost:<1")).toEqual([broken, above])
    const judged = task(child, 1)
    const verdicts = [verdict(judged), verdict(judged, { verdict: "reject" })]
    const mutations: Mutation[] = [
      { kind: "task", value: judged },
      ...verdicts.map((value) => ({ kind: "verdict" as const, value })),
    ]
    await store.write.commit([{ rootID: top.id, mutations }])
    expect(await look(store, "needle verdict:rejected")).toEqual([lower])
    expect(await look(store, "needle verdict:approved")).toEqual([])
    expect(await look(store, "needle after:2000-01-01")).toEqual([broken, lower, above])
    expect(await look(store, "needle before:2000-01-01")).toEqual([])
  })

  it("finds no synthetic or growing text, only the finished version", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const message = assistantMessage(session)
    const added = { ...textPart(message, "needle"), synthetic: true }
    const growing = { ...textPart(message, "needle gro"), time: { start: 1, end: null } }
    const put = (...values: Array<TextPart | ToolPart>) =>
      store.write.commit([{ rootID: session.id, mutations: values.map((value) => ({ kind: "part", value })) }])
    await store.write.commit([{ rootID: session.id, mutations: [{ kind: "message", value: message }] }])
    await put(added, growing, toolPart(message, { status: "pending", input: {}, raw: "needle" }))
    expect(await look(store, "needle")).toEqual([])
    await put({ ...growing, text: "needle grown", time: { start: 1, end: 2 } })
    expect(await look(store, "needle")).toEqual([growing.id])
    await put({ ...growing, text: "thread", time: { start: 1, end: 3 } })
    expect([await look(store, "needle"), await look(store, "thread")]).toEqual([[], [growing.id]])
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
    const { parts: gone } = await say(store, removed, "needle removed", "yes")
    await indexAll(store)
    const files = { state: "kept" as const, before: null, after: null, count: 0, paths: [], left: [], note: null }
    const revert = { messageID, messages: 2, mark: "tdc", at: 1, children: [], files }
    await store.write.commit([
      { rootID: undone.id, mutations: [{ kind: "session.patch", sessionID: undone.id, patch: { revert } }] },
      { rootID: removed.id, mutations: [{ kind: "session.remove", sessionID: removed.id }] },
    ])
    const { ask } = parseSearch("needle", context)
    expect((ask && (await store.search.find({ ask, limit: 10 })))?.found.map(({ id }) => id)).toEqual([kept[0].id])
    expect(await look(store, "removed")).toEqual([])
    expect(gone).toHaveLength(2)
    const part = { sessionID: undone.id, messageID: kept[0].messageID, partID: kept[0].id }
    await store.write.commit([{ rootID: undone.id, mutations: [{ kind: "part.remove", ...part }] }])
    expect(await look(store, "needle")).toEqual([])
  })

  it("returns pages, each beginning where the last one ended", async () => {
    const store = await open()
    const session = await putSessions(store, root())
    const said: string[] = []
    for (let index = 0; index < 5; index++) {
      const { parts } = await say(store, session, `needle ${index}`, "hay")
      said.unshift(parts[0].id)
    }
    await indexAll(store)
    const { ask } = parseSearch("needle", context)
    const pages: string[][] = []
    for (let cursor: string | null | undefined; ask !== null && cursor !== null && pages.length < 9; ) {
      const page = await store.search.find({ ask, limit: 2, cursor })
      pages.push(page.found.map(({ id }) => id))
      cursor = page.next
    }
    expect(pages).toEqual([said.slice(0, 2), said.slice(2, 4), said.slice(4)])
    if (ask)
      await expect(store.search.find({ ask, limit: 2, cursor: "nonsense" })).rejects.toThrow("the cursor is not one")
  })

  it("finds sessions at any depth by their current titles", async () => {
    const store = await open()
    const top = root({ title: "Mend the parser", time: time(1_000) })
    const child = childOf(top, { title: "Parser: find what hangs", time: { ...time(2_000), created: 2_000 } })
    const other = root({ title: "Parser of 100%", time: time(3_000, 4_000) })
    await putSessions(store, top, child)
    await putSessions(store, other)
    await putSessions(store, childOf(other, { title: "parser below an archived one" }))
    expect(await look(store, "PARSER")).toEqual([child.id, top.id])
    expect(await look(store, "hangs parser")).toEqual([child.id])
    const patch = { title: "Mend the lexer" }
    await store.write.commit([{ rootID: top.id, mutations: [{ kind: "session.patch", sessionID: top.id, patch }] }])
    expect([await look(store, "parser"), await look(store, "lexer")]).toEqual([[child.id], [top.id]])
  })
}
