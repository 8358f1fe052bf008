import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { posixRelative } from "../../ground/file/posix-relative.ts"
import type { ToolPart } from "../../ground/schema/index.ts"
import type { BashMetadata, PatchMetadata } from "../../ground/schema/tool-metadata.ts"
import type { ProgramCall } from "./agent-programs.ts"
import { type CallChanges, mostListed } from "./program-call-changes.ts"
import { cutText, longestShown, shownInput } from "./shown-input.ts"

const longestTitle = 200

interface CallFacts {
  startedAt: number
  now: number
  refusal: { error: string; metadata: Record<string, unknown> } | null
  worktree: string
  changes: CallChanges
}

/** The part of a program's call, as Docket would show its own. */
export function callPart(
  part: ToolPart,
  told: ProgramCall,
  { startedAt, now, refusal, worktree, changes }: CallFacts,
): ToolPart {
  const nameOf = (file: string) => (isWithin(worktree, file) ? posixRelative(worktree, file) || "." : file)
  const { tool, input } = shownCall(told, nameOf)
  const title = (told.title || told.name).slice(0, longestTitle)
  const output = shownOutput(told)
  const base = { ...part, tool }
  if (told.state === "pending" && refusal === null) {
    return { ...base, state: { status: "pending", input, raw: JSON.stringify(input) } }
  }
  const metadata = callMetadata(told, { output, nameOf, changes })
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
    return { tool: "bash", input: { command: cutText(told.command), description: told.title.slice(0, longestTitle) } }
  if (told.tool === "edit" && told.changes.length > 1)
    return { tool: "apply_patch", input: { files: told.files.slice(0, mostListed).map(nameOf) } }
  if ((told.tool === "edit" || told.tool === "read") && file !== undefined)
    return { tool: told.tool, input: { filePath: cutText(nameOf(file)) } }
  if (told.tool === "webfetch" && told.url !== null) return { tool: "webfetch", input: { url: cutText(told.url) } }
  return { tool: "acp", input: shownInput(told.input) }
}

function callMetadata(
  told: ProgramCall,
  { output, nameOf, changes }: { output: string; nameOf: (file: string) => string; changes: CallChanges },
): Record<string, unknown> {
  if (told.tool === "bash" && told.command !== null)
    return {
      ...{ command: cutText(told.command), description: told.title.slice(0, longestTitle), output },
    } satisfies BashMetadata
  if (told.tool !== "edit" || told.changes.length === 0) return {}
  const listed = changes.describe(told.changes, (file) => nameOf(path.resolve(file)))
  const [only] = listed
  if (listed.length === 1 && only !== undefined) return { ...only }
  return { changes: listed, truncated: listed.length < told.changes.length } satisfies PatchMetadata
}

function shownOutput({ output, changes }: ProgramCall): string {
  const shown = output.length > longestShown ? `…${output.slice(-longestShown)}` : output
  const more = changes.length - mostListed
  return more <= 0 ? shown : `${shown}\n[Docket] ${more} more changes of files are not listed.`.trimStart()
}
