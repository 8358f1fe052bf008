import { readsOfCommand } from "../../ground/rule/index.ts"
import type { PermissionMetadata } from "../../ground/schema/index.ts"
import type { ClosedFile } from "../permission/judge.ts"
import type { ClosedFiles } from "../sandbox/sandbox.ts"
import { askExternalDirectory } from "./ask-external.ts"
import type { ToolContext } from "./tool.ts"
import { resolveWorktreePath } from "./worktree-path.ts"

/** Most files named in one result; further ones are only counted. */
const maxNamed = 10

interface OpenedRequest {
  /** Names as the model wrote them. */
  files: readonly string[]
  command: string
  metadata(): Promise<Extract<PermissionMetadata, { kind: "command" }>>
}

/**
 * Asks for permission that a command may read files that are closed to it.
 * @returns the names as tools write them
 */
export async function askToOpen(context: ToolContext, { files, command, metadata }: OpenedRequest): Promise<string[]> {
  const targets = await Promise.all(files.map((file) => resolveWorktreePath(context, file)))
  for (const target of targets) {
    await askExternalDirectory(context, target, { kind: "file", reads: true, metadata })
  }
  const patterns = [...new Set(targets.map(({ name }) => name))]
  if (patterns.length > 0) await context.ask(readRequest({ patterns, command, metadata }))
  return patterns
}

/** The permission request for files that a command reads. "Always" applies to this command only. */
export function readRequest<Metadata>(asked: { patterns: string[]; command: string; metadata: Metadata }) {
  const { patterns, metadata } = asked
  const command = asked.command.trim()
  return { permission: "read", patterns, always: readsOfCommand(command, patterns), command, metadata }
}

/** The files closed to a command, except `opened`, which it may read; `found` tells which of them existed. */
export function closedTo(
  { closed }: Pick<ToolContext, "closed">,
  { command, opened }: { command: string; opened: readonly string[] },
): { files: ClosedFiles; found(): ClosedFile[] } {
  let found: ClosedFile[] = []
  return {
    files: {
      patterns: closed.patterns,
      async among(files) {
        const open = new Set(opened)
        found = await closed.among(
          files.filter((file) => !open.has(file)),
          command.trim(),
        )
        return found.map(({ file }) => file)
      },
    },
    found: () => found,
  }
}

/** Messages of programs that could not open or change a file. */
const refusal = /permission denied|\bEACCES\b|\bEBUSY\b|\bEROFS\b|device or resource busy|read-only file system/i

/** The closed files that a result refers to: those it names, or all when it failed without naming a file. */
export function closedInResult(
  closed: readonly ClosedFile[],
  { text, exit }: { text: string; exit: number | null },
): ClosedFile[] {
  if (!refusal.test(text)) return []
  const refusals = text.split("\n").filter((line) => refusal.test(line))
  const named = closed.filter(({ file }) => refusals.some((line) => mentions(line, file)))
  return named.length > 0 || exit === 0 ? named : [...closed]
}

/** Notes for the model about closed files that may have made its command fail. */
export function closedNotes(closed: readonly ClosedFile[]): string[] {
  const asking = closed.filter(({ mayAsk }) => mayAsk).map(({ file }) => file)
  const denied = closed.filter(({ mayAsk }) => !mayAsk).map(({ file }) => file)
  const files = JSON.stringify(asking.slice(0, maxNamed))
  return [
    ...(asking.length === 0
      ? []
      : [
          `[permission: the command could not open these files, for which the permission "read" is asked: ${joinNames(asking)}. If it needs them, call again with read set to ${files}: the user is asked. Else do without them (git add by name).]`,
        ]),
    ...(denied.length === 0
      ? []
      : [
          `[permission: the command could not open these files, for which the user's rules deny "read": ${joinNames(denied)}. Go on without them, and do not try it another way.]`,
        ]),
  ]
}

/** The text without the lines about closed files, which are explained in a note of their own. */
export function withoutClosed(text: string, closed: readonly ClosedFile[]): string {
  if (closed.length === 0) return text
  const lines = text.split("\n").filter((line) => !closed.some(({ file }) => mentions(line, file)))
  return lines.join("\n")
}

function joinNames(files: readonly string[]): string {
  const named = files.slice(0, maxNamed).map((file) => file.replace(/\p{C}/gu, "?"))
  return files.length > maxNamed ? `${named.join(", ")} and ${files.length - maxNamed} more` : named.join(", ")
}

/** Whether a text contains the file's name as a whole, not as the end of another name. */
function mentions(text: string, file: string): boolean {
  const name = file.slice(file.lastIndexOf("/") + 1)
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!/[\w.-]$/.test(text.slice(Math.max(0, at - 1), at))) return true
  }
  return false
}
