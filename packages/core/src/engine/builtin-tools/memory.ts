import { z } from "zod"
import { defineTool, type Tool } from "../../acts/tool/tool.ts"
import { type Memory, MemoryType } from "../../ground/schema/memory.ts"
import type { MemoryMetadata } from "../../ground/schema/tool-metadata.ts"
import { memoryList, memoryText } from "../../records/memory/memory-text.ts"
import type { SessionMemory } from "../../records/memory/session-memory.ts"

const description = `Records facts and finds them again, across agents and sessions. What you record in this conversation is told to every agent that work is delegated to later.

- add: records a fact. Needs type, title and content. Keep one fact per entry, and a title that says it. It belongs to this conversation; with lasting: true it is kept for every later session of this project, so use that for what will still hold then: how the project builds, a decision with its reason, what the user wants done differently.
- search: ranks entries by the words of query. Look here before you ask the user something they may have said before.
- list: the newest entries.
- get: one entry in full, by number.
- invalidate: marks entry number as no longer true. Do so when you find one wrong; add what holds instead.

Types: user (who they are, what they prefer), feedback (how they want you to work), project (state, decisions, plans), reference (where things are), learning (what turned out), context (anything else). Record no secrets, nor what the code already says.`

const parameters = z.strictObject({
  action: z.enum(["add", "search", "list", "get", "invalidate"]),
  type: MemoryType.optional().describe("Required for add; narrows list and favours entries in search"),
  title: z.string().min(1).max(200).optional().describe("add: the fact in one line"),
  content: z.string().max(65_536).optional().describe("add: the details"),
  tags: z.array(z.string().min(1).max(64)).max(32).optional().describe("add: words to find it by"),
  source: z.string().max(200).optional().describe("add: where it comes from, for example a file or the user"),
  lasting: z.boolean().optional().describe("add: keep it for later sessions of this project"),
  query: z.string().min(1).max(1_000).optional().describe("search: words to look for"),
  number: z.number().int().positive().optional().describe("get, invalidate: the number behind #"),
})

export interface MemoryToolDeps {
  sessionMemory(context: { sessionID: string; agent: string }): SessionMemory
}

type Arguments = z.output<typeof parameters>

/** `memory`: agents at any depth may read and add entries. The permission's pattern is the action. */
export function createMemoryTool(deps: MemoryToolDeps): Tool<typeof parameters> {
  return defineTool({
    id: "memory",
    description,
    parameters,
    permission: "memory",
    parallel: true,
    async execute(args, context) {
      const { action } = args
      await context.ask({ permission: "memory", patterns: [action], always: [action], metadata: { kind: "other" } })
      const entries = await act(deps.sessionMemory(context), args)
      const metadata: MemoryMetadata = {
        action,
        entries: entries.map(({ id, number, type, title }) => ({ id, number, type, title })),
        truncated: false,
      }
      return { title: titleOf(args, entries), output: outputOf(args, entries), metadata }
    },
  })
}

async function act(memory: SessionMemory, args: Arguments): Promise<Memory[]> {
  switch (args.action) {
    case "add": {
      const type = needed(args, "type")
      const entry = { type, title: needed(args, "title"), content: needed(args, "content") }
      const { tags, source, lasting = false } = args
      return [await memory.add({ ...entry, tags, source, lasting })]
    }
    case "search":
      return memory.search(needed(args, "query"), args.type && [args.type])
    case "list":
      return memory.list(args.type && [args.type])
    case "get":
      return [await memory.get(needed(args, "number"))]
    case "invalidate":
      return [await memory.invalidate(needed(args, "number"))]
  }
}

function needed<K extends keyof Arguments>(args: Arguments, name: K): NonNullable<Arguments[K]> {
  const value = args[name]
  if (value === undefined || value === null) throw new Error(`memory ${args.action} needs ${name}; send it too.`)
  return value
}

function titleOf({ action, query }: Arguments, entries: Memory[]): string {
  if (action === "search") return `${entries.length} for ${query}`
  if (action === "list") return entries.length === 1 ? "1 entry" : `${entries.length} entries`
  return entries.map(({ number, title }) => `#${number} ${title}`).join(", ")
}

function outputOf({ action }: Arguments, entries: Memory[]): string {
  if (action === "search" || action === "list") return memoryList(entries)
  const words = { add: "Recorded", invalidate: "No longer holds:", get: "" }[action]
  return entries
    .map((memory) => (words === "" ? memoryText(memory) : `${words} #${memory.number} — ${memory.title}`))
    .join("\n")
}
