import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, it } from "vitest"
import type { ToolPart } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
  usage,
} from "../../test/scripted-runtime.ts"

type Call = { tool: string; input: unknown }
const read = (filePath: string, more = {}): Call => ({ tool: "read", input: { filePath, ...more } })
const write = (filePath: string, content: string): Call => ({ tool: "write", input: { filePath, content } })
const edit = (filePath: string, oldString: string, newString: string): Call => ({
  tool: "edit",
  input: { filePath, oldString, newString },
})

/** A model that plays the answers given in the prompt: a JSON list of lists of calls. */
function obedient(options: LanguageModelV4CallOptions): LanguageModelV4StreamPart[] {
  const text = lastUserText(options)
  if (text.startsWith("Write the summary")) return answer("A summary.")
  if (text.startsWith("Continue if")) return answer("done")
  const start = options.prompt.findLastIndex((message) => message.role === "user")
  const sent = options.prompt.slice(start).filter((message) => message.role === "assistant").length
  // The prompt of a test is that list.
  const answers = JSON.parse(text) as Call[][]
  return answer("", ...(answers[sent] ?? []))
}

async function toolParts(host: ScriptedRuntime, sessionID = host.session.id): Promise<ToolPart[]> {
  const { items } = await host.runtime.session.messages({ sessionID })
  return items.flatMap(({ parts }) => parts.filter((part): part is ToolPart => part.type === "tool"))
}

/** The result of each call of a prompt: its error, or null. */
async function errors(host: ScriptedRuntime, answers: Call[][]): Promise<(string | null)[]> {
  const before = (await toolParts(host)).length
  const turn = await host.runtime.prompt.submit(host.session.id, {
    parts: [{ type: "text", text: JSON.stringify(answers) }],
  })
  await host.runtime.prompt.wait(turn.id)
  const parts = (await toolParts(host)).slice(before)
  return parts.map(({ state }) => (state.status === "error" ? state.error : null))
}

const unread = expect.stringContaining(
  "a.txt exists and was not read in this session. Nothing was written. This is the file now; send the change again if it is still right.\n\n1: one\n2: two\n",
)
const changed = expect.stringContaining(
  "a.txt has changed since it was last read or written here. Nothing was written.",
)

async function host(): Promise<ScriptedRuntime & { file: string }> {
  const made = await scriptedRuntime(obedient, { config: { delegation: { envelope: false } } })
  const file = join(made.directory, "a.txt")
  await writeFile(file, "one\ntwo\n")
  return { ...made, file }
}

it("edit and write refuse an unread file and show it", async () => {
  await using here = await host()
  expect(await errors(here, [[write("a.txt", "mine"), edit("a.txt", "one", "1")]])).toEqual([unread, unread])
  expect(await readFile(here.file, "utf8")).toBe("one\ntwo\n")
  expect(
    await errors(here, [[read("a.txt", { limit: 1 })], [edit("a.txt", "one", "1")], [write("a.txt", "mine")]]),
  ).toEqual([null, null, null])
  expect(await readFile(here.file, "utf8")).toBe("mine")
})

it("a file that a refusal showed counts as read", async () => {
  await using here = await host()
  expect(await errors(here, [[edit("a.txt", "one", "1")], [edit("a.txt", "one", "1")]])).toEqual([unread, null])
  expect(await readFile(here.file, "utf8")).toBe("1\ntwo\n")
})

it("a refusal shows no file that may not be read without asking", async () => {
  const config = { permission: { read: { "*": "allow", "a.txt": "ask" } } } as const
  await using here = await scriptedRuntime(obedient, { config })
  await writeFile(join(here.directory, "a.txt"), "a secret")
  const calls = [[write("a.txt", "mine")], [write("a.txt", "mine")]]
  const refused = expect.stringMatching(/was not read in this session\. Nothing was written\. Read it first[^:]*$/)
  expect(await errors(here, calls)).toEqual([refused, refused])
})

it("write refuses a file that was read only in the same answer", async () => {
  await using here = await host()
  expect(await errors(here, [[read("a.txt"), write("a.txt", "blind")], [write("a.txt", "seen")]])).toEqual([
    null,
    unread,
    null,
  ])
  expect(await readFile(here.file, "utf8")).toBe("seen")
})

it("edit and write refuse a file changed by others until reread", async () => {
  await using here = await host()
  await errors(here, [[read("a.txt")]])
  await writeFile(here.file, "one\ntwo\nthree, by a person\n")
  expect(await errors(here, [[write("a.txt", "mine"), edit("a.txt", "one", "1")]])).toEqual([changed, changed])
  expect(await readFile(here.file, "utf8")).toContain("by a person")
  expect(await errors(here, [[read("a.txt")], [edit("a.txt", "one", "1")]])).toEqual([null, null])
})

it("edit and write accept the session's own, new and empty files", async () => {
  await using here = await host()
  await writeFile(join(here.directory, "empty.txt"), "")
  const calls = [
    [write("new.txt", "a b c"), write("empty.txt", "filled")],
    [edit("new.txt", "a", "1"), edit("new.txt", "b", "2"), edit("new.txt", "c", "3")],
    [write("new.txt", "all new")],
  ]
  expect(await errors(here, calls)).toEqual([null, null, null, null, null, null])
  expect(await readFile(join(here.directory, "new.txt"), "utf8")).toBe("all new")
})

it("a session remembers after a restart which files it read", async () => {
  const first = await host()
  await errors(first, [[read("a.txt")]])
  await first.runtime.close()
  await using second = await scriptedRuntime(obedient, { store: first.store, directory: first.directory })
  expect(await errors({ ...second, session: first.session }, [[write("a.txt", "mine")]])).toEqual([null])
  expect(await readFile(first.file, "utf8")).toBe("mine")
  await first[Symbol.asyncDispose]()
})

it("after a compaction a session still knows which file versions it read", async () => {
  const full = { ...usage, inputTokens: { total: 99_000, noCache: 99_000, cacheRead: 0, cacheWrite: 0 } }
  await using here = await scriptedRuntime((options) => {
    const parts = obedient(options)
    const long = lastUserText(options).includes("glob") && toolResults(options).length === 0
    return long ? parts.map((part) => (part.type === "finish" ? { ...part, usage: full } : part)) : parts
  })
  const [a, b] = [join(here.directory, "a.txt"), join(here.directory, "b.txt")]
  await writeFile(a, "a")
  await writeFile(b, "b")
  await errors(here, [[read("a.txt"), read("b.txt")]])
  await errors(here, [[{ tool: "glob", input: { pattern: "*" } }]])
  const { items } = await here.messages()
  expect(items.some(({ info }) => info.role === "assistant" && info.summary === true)).toBe(true)
  await writeFile(b, "changed meanwhile")
  expect(await errors(here, [[write("a.txt", "mine")], [write("b.txt", "mine")]])).toEqual([
    null,
    expect.stringContaining("b.txt has changed since"),
  ])
})

it("a subagent does not know the files its parent read", async () => {
  await using here = await host()
  const prompt = JSON.stringify([[write("a.txt", "child")]])
  const task = { tool: "task", input: { subagent_type: "general", description: "write it", prompt } }
  await errors(here, [[read("a.txt")], [task]])
  const [child] = await here.runtime.session.children(here.session.id)
  const parts = await toolParts(here, child?.id)
  expect(parts.map(({ state }) => (state.status === "error" ? state.error : null))).toEqual([unread])
  expect(await errors(here, [[write("a.txt", "parent")]])).toEqual([null])
})

it("an agent without a read tool may still change files", async () => {
  await using made = await scriptedRuntime(obedient, { config: { agent: { build: { permission: { read: "deny" } } } } })
  await writeFile(join(made.directory, "a.txt"), "one")
  expect(await errors(made, [[write("a.txt", "mine")]])).toEqual([null])
})
