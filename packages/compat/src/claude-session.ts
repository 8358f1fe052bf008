import type { SessionFile } from "@docket/core/schema"
import { badFile, type LeftOut, titleFrom } from "@docket/core/session-file"
import { z } from "zod"
import {
  briefAndResult,
  createLeftCount,
  type ForeignMessage,
  type ForeignPart,
  type ForeignSession,
  type LeftCount,
  todoMetadata,
  toSessionFile,
  writtenTodos,
} from "./to-session-file.ts"

interface Reading {
  left: LeftCount
  results: ReadonlyMap<string, ClaudeResult>
  chains: SideChains
}

const Kind = z.object({ type: z.string() })
const Delegated = z.object({
  description: z.string().catch("Task"),
  prompt: z.string().catch(""),
  subagent_type: z.string().catch("general"),
})

/** Reads a Claude Code session with one JSON value per line. `unread` counts the lines that are not JSON. */
export function readClaudeCode(values: readonly unknown[], unread: number): { file: SessionFile; left: LeftOut[] } {
  const left = createLeftCount()
  left.add("lines that are no JSON", unread)
  const lines: ClaudeLine[] = []
  let title = ""
  for (const value of values) {
    const line = ClaudeLine.safeParse(value).data
    const named = line === undefined ? ClaudeTitle.safeParse(value).data : undefined
    if (line !== undefined) lines.push(line)
    else if (named !== undefined) title = named
    else left.add(`lines of kind "${(Kind.safeParse(value).data?.type ?? "unknown").slice(0, 40)}"`)
  }
  const main = lines.filter(({ isSidechain }) => isSidechain !== true)
  // The file of a subagent contains only its side chain.
  const own = main.length > 0 ? main : lines
  const side = main.length > 0 ? lines.filter(({ isSidechain }) => isSidechain === true) : []
  const reading: Reading = { left, results: claudeResults(lines), chains: readSideChains(side) }
  const root = sessionOf(reading, own, { agent: "build", title: "", brief: "", failed: false })
  if (root.messages.length === 0) throw badFile("it has no message.")
  root.title = titleFrom(title) || titleFrom(firstPrompt(own)) || "Claude Code session"
  left.add("transcripts of subagents that no call names", reading.chains.left())
  left.add("costs of answers (the file does not tell them)", unpriced(root))
  return { file: toSessionFile(root), left: left.list() }
}

function unpriced({ messages }: ForeignSession): number {
  return messages.filter(({ usage }) => usage.cost === 0 && usage.tokens.output > 0).length
}

function sessionOf(
  reading: Reading,
  lines: readonly ClaudeLine[],
  given: Pick<ForeignSession, "agent" | "title" | "brief" | "failed">,
): ForeignSession {
  const session: ForeignSession = { ...given, created: lines[0] ? timeOf(lines[0]) : 0, messages: [], todos: [] }
  const model = modelOf(lines.find(({ message }) => message.model && message.model !== "<synthetic>"))
  let answerID: string | null = null
  for (const line of lines) {
    const parts = blocksOf(line).flatMap((block) => partOf(reading, { line, block, session }) ?? [])
    const last = session.messages.at(-1)
    const id = line.message.id ?? null
    if (line.type === "assistant" && last?.role === "assistant" && id !== null && id === answerID) {
      // The line continues the same answer, and its usage is repeated.
      last.parts.push(...parts)
      last.until = timeOf(line)
      last.finish = line.message.stop_reason ?? last.finish
      last.usage = usageOf(line)
    } else if (parts.length > 0) {
      answerID = line.type === "assistant" ? id : null
      session.messages.push(messageOf(line, { parts, agent: given.agent, model }))
    }
  }
  return session
}

function messageOf(line: ClaudeLine, given: Pick<ForeignMessage, "parts" | "agent" | "model">): ForeignMessage {
  const at = timeOf(line)
  const model = line.type === "assistant" && line.message.model ? modelOf(line) : given.model
  const finish = line.message.stop_reason ?? null
  return { ...given, role: line.type, model, at, until: at, finish, error: null, usage: usageOf(line) }
}

interface Placed {
  line: ClaudeLine
  block: ClaudeBlock | null
  session: ForeignSession
}

/** Null for content that is stored elsewhere or is empty. */
function partOf(reading: Reading, { line, block, session }: Placed): ForeignPart | null {
  const at = timeOf(line)
  const time = { start: at, end: at }
  switch (block?.type) {
    case undefined:
      reading.left.add("blocks of unknown kinds")
      return null
    case "text": {
      const synthetic = line.isMeta === true || line.isCompactSummary === true
      const content = { type: "text", text: block.text, time, ...(synthetic && { synthetic }) }
      return block.text === "" ? null : { content }
    }
    case "thinking":
      return block.thinking === "" ? null : { content: { type: "reasoning", text: block.thinking, time } }
    case "image": {
      const { media_type: mime, data } = block.source
      return { content: { type: "file", mime, url: `data:${mime};base64,${data}` } }
    }
    case "tool_result":
      // The result is stored with its call.
      return null
    case "tool_use": {
      const result = reading.results.get(block.id) ?? null
      session.todos = (block.name === "TodoWrite" ? writtenTodos(block.input) : null) ?? session.todos
      const child = childOf(reading, block, { result, at })
      return { content: claudeCall(block, { result, at }), ...(child && { child }) }
    }
  }
}

/** The session that a call delegated to: its side chain, or else what the call itself contains. */
function childOf(
  { chains, left, ...reading }: Reading,
  { name, input }: { name: string; input: unknown },
  { result, at }: { result: ClaudeResult | null; at: number },
): ForeignSession | null {
  if (name !== "Task" && name !== "Agent") return null
  const { description, prompt, subagent_type: agent } = Delegated.parse(Object(input))
  const failed = result === null || result.isError
  const given = { agent, title: titleFrom(description) || "Task", brief: prompt, failed }
  const chain = chains.take({ prompt, agentID: result?.agentID ?? null })
  if (chain !== null) return sessionOf({ chains, left, ...reading }, chain.lines, given)
  left.add("transcripts of subagents (they are in files of their own)")
  const model = modelOf(undefined)
  return briefAndResult({ ...given, model, created: at, result: result && { text: result.output, at: result.at } })
}

function firstPrompt(lines: readonly ClaudeLine[]): string {
  const line = lines.find(({ type, isMeta, message }) => type === "user" && isMeta !== true && textsOf(message.content))
  return textsOf(line?.message.content)
}

function modelOf(line: ClaudeLine | undefined): ForeignMessage["model"] {
  return { providerID: "anthropic", modelID: line?.message.model || "unknown" }
}

function usageOf({ message: { usage }, costUSD }: ClaudeLine): ForeignMessage["usage"] {
  return {
    cost: costUSD ?? 0,
    tokens: {
      input: usage?.input_tokens ?? 0,
      output: usage?.output_tokens ?? 0,
      reasoning: 0,
      cache: { read: usage?.cache_read_input_tokens ?? 0, write: usage?.cache_creation_input_tokens ?? 0 },
    },
  }
}

/** The result of a call. */
interface ClaudeResult {
  output: string
  isError: boolean
  /** Epoch ms. */
  at: number
  /** The subagent that did the work. */
  agentID: string | null
}

/** Docket's names for tools that both programs have. Other tools keep their names. */
const toolNames: ReadonlyMap<string, string> = new Map([
  ["Read", "read"],
  ["Edit", "edit"],
  ["Write", "write"],
  ["Bash", "bash"],
  ["Glob", "glob"],
  ["Grep", "grep"],
  ["LS", "list"],
  ["TodoWrite", "todowrite"],
  ["Task", "task"],
  ["Agent", "task"],
])

const memberNames: ReadonlyMap<string, string> = new Map([
  ["file_path", "filePath"],
  ["old_string", "oldString"],
  ["new_string", "newString"],
])

/** Most characters of a command's output kept for its card. */
const maxShown = 30_000

const Result = z.object({ agentId: z.string() })
const Command = z.object({ command: z.string(), description: z.string().default("") })
const Titled = z.object({
  filePath: z.string().optional(),
  description: z.string().optional(),
  pattern: z.string().optional(),
})

/** The results in all lines, by call. */
function claudeResults(lines: readonly ClaudeLine[]): Map<string, ClaudeResult> {
  const results = new Map<string, ClaudeResult>()
  for (const line of lines) {
    for (const block of blocksOf(line)) {
      if (block?.type !== "tool_result") continue
      const agentID = Result.safeParse(line.toolUseResult).data?.agentId ?? null
      const output = textsOf(block.content)
      results.set(block.tool_use_id, { output, isError: block.is_error === true, at: timeOf(line), agentID })
    }
  }
  return results
}

/** A call as a transcript part without ids. A call without a result was still running at the end of the file. */
function claudeCall(
  { id, name, input }: { id: string; name: string; input: unknown },
  { result, at }: { result: ClaudeResult | null; at: number },
): Record<string, unknown> {
  const tool = toolNames.get(name) ?? name
  const given = toolNames.has(name) ? renamed(input) : (input ?? {})
  const call = { type: "tool", callID: id, tool }
  const time = { start: at, end: Math.max(at, result?.at ?? at) }
  if (result === null) {
    const error = "There is no result of this call in the file."
    return { ...call, state: { status: "error", input: given, error, metadata: { interrupted: true }, time } }
  }
  const metadata = metadataOf(tool, given, result)
  if (result.isError) return { ...call, state: { status: "error", input: given, error: result.output, metadata, time } }
  const { output } = result
  return { ...call, state: { status: "completed", input: given, output, title: titleOf(given), metadata, time } }
}

function renamed(input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input ?? {}
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [memberNames.get(name) ?? name, value]))
}

function metadataOf(tool: string, input: unknown, { output }: ClaudeResult): Record<string, unknown> {
  if (tool === "todowrite") return todoMetadata(writtenTodos(input) ?? [])
  const command = tool === "bash" ? Command.safeParse(input).data : undefined
  return command === undefined ? {} : { ...command, output: output.slice(-maxShown), truncated: false }
}

function titleOf(input: unknown): string {
  const { filePath, description, pattern } = Titled.safeParse(input).data ?? {}
  return (filePath ?? description ?? pattern ?? "").slice(0, 200)
}

// The parts of a Claude Code session file, one JSON value per line, that are imported. The format is not documented, so
// anything that does not match is counted and left out.

const Text = z.object({ type: z.literal("text"), text: z.string() })

const Block = z.discriminatedUnion("type", [
  Text,
  z.object({
    type: z.literal("image"),
    source: z.object({ type: z.literal("base64"), media_type: z.string(), data: z.string() }),
  }),
  z.object({ type: z.literal("thinking"), thinking: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal("tool_result"),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.unknown())]).optional(),
    is_error: z.boolean().nullish(),
  }),
])
type ClaudeBlock = z.infer<typeof Block>

const Count = z.number().int().nonnegative().catch(0).default(0)

/** A line with a message of a user, a tool or the model. One answer of the model may span several lines. */
const ClaudeLine = z.object({
  type: z.enum(["user", "assistant"]),
  uuid: z.string(),
  parentUuid: z.string().nullish(),
  isSidechain: z.boolean().nullish(),
  isMeta: z.boolean().nullish(),
  isCompactSummary: z.boolean().nullish(),
  agentId: z.string().nullish(),
  timestamp: z.string(),
  costUSD: z.number().nonnegative().nullish(),
  message: z.object({
    id: z.string().nullish(),
    model: z.string().nullish(),
    content: z.union([z.string(), z.array(z.unknown())]),
    stop_reason: z.string().nullish(),
    usage: z
      .object({
        input_tokens: Count,
        output_tokens: Count,
        cache_read_input_tokens: Count,
        cache_creation_input_tokens: Count,
      })
      .nullish(),
  }),
  toolUseResult: z.unknown().optional(),
})
type ClaudeLine = z.infer<typeof ClaudeLine>

/** A line with the title of the session. */
const ClaudeTitle = z.union([
  z.object({ type: z.literal("summary"), summary: z.string() }).transform(({ summary }) => summary),
  z.object({ type: z.literal("custom-title"), customTitle: z.string() }).transform((line) => line.customTitle),
  z.object({ type: z.literal("ai-title"), aiTitle: z.string() }).transform(({ aiTitle }) => aiTitle),
])

/** The blocks of a message; null for one of an unknown kind. */
function blocksOf({ message: { content } }: ClaudeLine): (ClaudeBlock | null)[] {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return content.map((block) => Block.safeParse(block).data ?? null)
}

function textsOf(content: string | readonly unknown[] | undefined): string {
  if (content === undefined || typeof content === "string") return content ?? ""
  return content.flatMap((block) => Text.safeParse(block).data?.text ?? []).join("\n")
}

/** Epoch ms; 0 when the timestamp is invalid. */
function timeOf({ timestamp }: ClaudeLine): number {
  const time = Date.parse(timestamp)
  return Number.isNaN(time) ? 0 : Math.max(time, 0)
}

/** The work of a subagent, stored between the lines of the session that delegated it. */
interface SideChain {
  lines: ClaudeLine[]
  prompt: string
  agentID: string | null
}

interface SideChains {
  /** The chain of a call, found by its agent or its prompt; each chain is returned once. Null when there is none. */
  take(call: { prompt: string; agentID: string | null }): SideChain | null
  /** How many chains have not been taken. */
  left(): number
}

/** A side chain starts with a line without a known parent, and continues by parents. */
function readSideChains(lines: readonly ClaudeLine[]): SideChains {
  const chains = new Set<SideChain>()
  const byLine = new Map<string, SideChain>()
  const byAgent = new Map<string, SideChain>()
  for (const line of lines) {
    const agentID = line.agentId ?? null
    const before = byLine.get(line.parentUuid ?? "") ?? (agentID === null ? undefined : byAgent.get(agentID))
    const chain = before ?? { lines: [], prompt: textsOf(line.message.content).trim(), agentID }
    chain.lines.push(line)
    chains.add(chain)
    byLine.set(line.uuid, chain)
    if (agentID !== null) byAgent.set(agentID, chain)
  }
  return {
    take({ prompt, agentID }) {
      const isOf = (chain: SideChain) =>
        agentID !== null && chain.agentID !== null
          ? chain.agentID === agentID
          : chain.prompt !== "" && chain.prompt === prompt.trim()
      const found = [...chains].find(isOf)
      if (found === undefined) return null
      chains.delete(found)
      return found
    },
    left: () => chains.size,
  }
}
