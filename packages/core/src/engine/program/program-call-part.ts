import path from "node:path"
import { describeChange } from "../../acts/tool/describe-change.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import type { BashMetadata, FileChangeMetadata, PatchMetadata } from "../../ground/schema/tool-metadata.ts"
import type { ProgramCall } from "./agent-programs.ts"

/** Characters of an output that are kept. */
const longestOutput = 50_000
const longestTitle = 200

interface CallFacts {
  startedAt: number
  now: number
  refusal: { error: string; metadata: Record<string, unknown> } | null
  worktree: string
}

/** The part of a program's call, as Docket would show its own. */
export function callPart(
  part: ToolPart,
  told: ProgramCall,
  { startedAt, now, refusal, worktree }: CallFacts,
): ToolPart {
  const nameOf = (file: string) => (isWithin(worktree, file) ? posixRelative(worktree, file) || "." : file)
  const { tool, input } = shownCall(told, nameOf)
  const title = told.title.slice(0, longestTitle)
  const output = told.output.length > longestOutput ? `…${told.output.slice(-longestOutput)}` : told.output
  const base = { ...part, tool }
  if (told.state === "pending" && refusal === null) {
    return { ...base, state: { status: "pending", input, raw: JSON.stringify(input) } }
  }
  const metadata = callMetadata(told, { output, nameOf })
  if (told.state === "completed") {
    const state = { status: "completed", input, output, title, metadata, time: { start: startedAt, end: now } } as const
    return { ...base, state }
  }
  if (told.state === "failed") {
    const error = refusal?.error ?? (output || "It failed.")
    const time = { start: startedAt, end: now }
    return {
      ...base,
      state: { status: "error", input, error, title, metadata: { ...metadata, ...refusal?.metadata }, time },
    }
  }
  return { ...base, state: { status: "running", input, title, metadata, time: { start: startedAt } } }
}

/** The call in the words of Docket's tool that is like it. */
function shownCall(told: ProgramCall, nameOf: (file: string) => string): { tool: string; input: unknown } {
  const [file] = told.files
  if (told.tool === "bash" && told.command !== null)
    return { tool: "bash", input: { command: told.command, description: told.title } }
  if (told.tool === "edit" && told.changes.length > 1)
    return { tool: "apply_patch", input: { files: told.files.map(nameOf) } }
  if ((told.tool === "edit" || told.tool === "read") && file !== undefined)
    return { tool: told.tool, input: { filePath: nameOf(file) } }
  if (told.tool === "webfetch" && told.url !== null) return { tool: "webfetch", input: { url: told.url } }
  return { tool: "acp", input: told.input ?? {} }
}

function callMetadata(
  told: ProgramCall,
  { output, nameOf }: { output: string; nameOf: (file: string) => string },
): Record<string, unknown> {
  if (told.tool === "bash" && told.command !== null)
    return { command: told.command, description: told.title, output } satisfies BashMetadata
  if (told.tool !== "edit" || told.changes.length === 0) return {}
  const changes = told.changes.map(
    ({ file, before, after }): FileChangeMetadata => describeChange(nameOf(path.resolve(file)), { before, after }),
  )
  const [only] = changes
  if (changes.length === 1 && only !== undefined) return { ...only }
  return { changes, truncated: false } satisfies PatchMetadata
}
