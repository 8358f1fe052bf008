import { z } from "zod"
import type { SessionFile } from "../../../ground/schema/index.ts"
import { titleFrom } from "../../session/title-from.ts"
import { badFile } from "../bad-file.ts"
import type { LeftOut } from "../transfer-service.ts"
import { briefAndResult } from "./brief-and-result.ts"
import { type ClaudeResult, claudeCall, claudeResults } from "./claude-calls.ts"
import { blocksOf, type ClaudeBlock, ClaudeLine, ClaudeTitle, textsOf, timeOf } from "./claude-lines.ts"
import type { ForeignMessage, ForeignPart, ForeignSession } from "./foreign-session.ts"
import { writtenTodos } from "./foreign-todos.ts"
import { createLeftCount, type LeftCount } from "./left-count.ts"
import { readSideChains, type SideChains } from "./side-chains.ts"
import { toSessionFile } from "./to-session-file.ts"

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

/** A session as Claude Code writes it down, a value a line. `unread` lines were no JSON. */
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
  // The file of a subagent has its side chain alone.
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
      // The same answer goes on; its lines repeat what it used.
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

/** Null for what stands elsewhere or says nothing. */
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
      // It stands with its call.
      return null
    case "tool_use": {
      const result = reading.results.get(block.id) ?? null
      session.todos = (block.name === "TodoWrite" ? writtenTodos(block.input) : null) ?? session.todos
      const child = childOf(reading, block, { result, at })
      return { content: claudeCall(block, { result, at }), ...(child && { child }) }
    }
  }
}

/** The session that a call delegated to: its side chain, or what the call itself tells of it. */
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
