import { z } from "zod"
import { blocksOf, type ClaudeLine, textsOf, timeOf } from "./claude-lines.ts"
import { todoMetadata, writtenTodos } from "./foreign-todos.ts"

/** What a call put out. */
export interface ClaudeResult {
  output: string
  isError: boolean
  /** Epoch ms. */
  at: number
  /** The subagent that did the work. */
  agentID: string | null
}

/** What Docket calls the tools that it has too. Others keep their names. */
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

/** Characters of a command's output that its card holds. */
const maxShown = 30_000

const Result = z.object({ agentId: z.string() })
const Command = z.object({ command: z.string(), description: z.string().default("") })
const Titled = z.object({
  filePath: z.string().optional(),
  description: z.string().optional(),
  pattern: z.string().optional(),
})

/** The results in all lines, by call. */
export function claudeResults(lines: readonly ClaudeLine[]): Map<string, ClaudeResult> {
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

/** A call as a part of a transcript, without ids. One without a result was not answered before the file ends. */
export function claudeCall(
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
