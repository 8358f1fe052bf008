import path from "node:path"
import { formatPatch, structuredPatch } from "diff/lib/patch/create.js"
import { errorCode } from "../../ground/error/error-code.ts"
import type { PermissionMetadata } from "../../ground/schema/index.ts"
import type { FileChangeMetadata } from "../../ground/schema/tool-metadata.ts"
import { askExternalDirectory } from "./ask-external.ts"
import { contentSum } from "./check-writing.ts"
import { temporaryName } from "./checked-file.ts"
import type { WithFileLock } from "./file-locks.ts"
import { alwaysOfEdit, createFileGuard, ownFileError } from "./guarded-files.ts"
import type { Files } from "./machine.ts"
import { encodeText, readTextFile, type TextFile } from "./text-file.ts"
import type { ToolContext, ToolResult } from "./tool.ts"
import { resolveWorktreePath, type WorktreePath, worktreeRoots } from "./worktree-path.ts"

/** Makes the new text of a file from the old one (null when there is no file). Throw to leave the file unchanged. */
type ChangeText = (before: string | null, name: string) => string

interface FileChange {
  filePath: string
  withLock: WithFileLock
  keepBom: boolean
  change: ChangeText
  /** The result that the model reads after the change. */
  tell(change: FileChangeMetadata): string
}

/**
 * Changes one text file: resolves and checks the path, asks for `edit` with the diff, and writes the file atomically,
 * all under the file's lock. A byte order mark stays when `keepBom` is set. The planned write is noted beforehand.
 * @throws Error when the session has not read the file as it is now, or the file changed while the user was being asked
 */
export async function changeFile(context: ToolContext, options: FileChange): Promise<ToolResult<"edit" | "write">> {
  const roots = worktreeRoots(context)
  const guarded = createFileGuard(context, roots)
  // Awaited below, unless the path is refused first.
  guarded.catch(() => {})
  const target = await resolveWorktreePath(context, options.filePath, roots)
  refuseGitInternals(target.name)
  const guard = await guarded
  if (guard.isOwn(target.real)) throw ownFileError(options.filePath)
  const { files } = context
  const intended = () => describeIntent(files, target, options.change)
  await askExternalDirectory(context, target, { kind: "file", reads: false, metadata: intended })
  const named = path.resolve(context.directory, options.filePath)
  const patterns = guard.editPatterns({ named, real: target.real })
  return options.withLock(target.real, context.signal, async () => {
    const before = await readExisting(files, target.real, target.name)
    if (before !== null) await assertKnown(context, target, before)
    const after = options.change(before?.text ?? null, target.name)
    const change = describeChange(target.name, before?.text ?? null, after)
    await context.ask({
      permission: "edit",
      patterns,
      always: alwaysOfEdit(patterns),
      metadata: { kind: "change", ...change },
    })
    const content = encodeText(after, options.keepBom && (before?.bom ?? false))
    const temporary = temporaryName()
    const result = { title: change.file, output: options.tell(change) }
    const sums = { before: before === null ? null : contentSum(before.bytes), after: contentSum(content) }
    await Promise.all([
      context.beforeChange(target.real, before ?? undefined),
      context.noteWriting({ path: target.real, ...sums, temporary, ...result, change }),
    ])
    context.signal.throwIfAborted()
    const isSame = before !== null && (await files.hasStamp(target.real, before.stamp))
    const now = isSame ? before : await readExisting(files, target.real, target.name)
    if (now?.text !== before?.text) {
      throw new Error(`${target.name} was changed by someone else meanwhile. Read it again, then repeat the change.`)
    }
    const { version, ...facts } = await files.write(target.real, content, { mode: before?.mode ?? null, temporary })
    // Undo compares the stamp of the file, so a later write within the same tick must not look like the tool's own.
    const written = { bytes: content, ...facts }
    context.known?.wrote(target.name, version)
    const note = await context.afterChange(target.real, written)
    const output = note === null ? result.output : `${result.output}\n\n${note}`
    return { ...result, output, metadata: { ...change, version } }
  })
}

/**
 * For the user who is asked about a write outside the project. The model learns nothing of the file before an answer.
 * When the change cannot be made, only the path is shown.
 */
async function describeIntent(
  files: Files,
  { real, name }: WorktreePath,
  change: ChangeText,
): Promise<PermissionMetadata> {
  try {
    const before = await readExisting(files, real, name)
    return { kind: "change", ...describeChange(name, before?.text ?? null, change(before?.text ?? null, name)) }
  } catch {
    return { kind: "path", path: real }
  }
}

/** Refuses to change text that the model has not seen in its present state. An empty file has nothing to lose. */
async function assertKnown(context: ToolContext, { name, shown }: WorktreePath, now: TextFile): Promise<void> {
  if (context.known === null || now.text === "") return
  const known = await context.known.versions(name, context.messageID)
  if (known.includes(now.version)) return
  throw new Error(
    known.length === 0
      ? `${shown} exists and was not read in this session. Nothing was written. Read it first, then send the change in a later answer.`
      : `${shown} has changed since it was last read or written here. Nothing was written. Read it again, then send the change in a later answer.`,
  )
}

async function readExisting(files: Files, real: string, name: string): Promise<TextFile | null> {
  try {
    await using handle = await files.open(real)
    return await readTextFile(handle, name)
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null
    throw error
  }
}

/** Hooks and configuration in `.git` can run commands later and would bypass the permissions of bash. */
function refuseGitInternals(name: string): void {
  if (!name.split(/[/\\]/).includes(".git")) return
  throw new Error(`${name} belongs to git's own data and is not changed as a file. Use git commands through bash.`)
}

/** A longer diff is not stored, because it would be sent to every viewer. */
const MAX_DIFF_CHARACTERS = 200_000
/** Milliseconds after which an expensive comparison is given up. */
const MAX_DIFF_TIME = 200

/** The change of one file, as the web app shows it. `before` is null for a new file. */
function describeChange(file: string, before: string | null, after: string): FileChangeMetadata {
  const old = before ?? ""
  const base = { file, created: before === null, truncated: false }
  const from = before === null ? "/dev/null" : `a/${file}`
  const patch = structuredPatch(from, `b/${file}`, old, after, "", "", { context: 3, timeout: MAX_DIFF_TIME })
  if (patch === undefined) {
    return { ...base, diff: "", additions: lineCount(after), deletions: lineCount(old), diffOmitted: true }
  }
  const lines = patch.hunks.flatMap((hunk) => hunk.lines)
  const counts = {
    additions: lines.filter((line) => line.startsWith("+")).length,
    deletions: lines.filter((line) => line.startsWith("-")).length,
  }
  const size = lines.reduce((sum, line) => sum + line.length + 1, 0)
  if (size > MAX_DIFF_CHARACTERS) return { ...base, ...counts, diff: "", diffOmitted: true }
  return { ...base, ...counts, diff: formatPatch(patch), diffOmitted: false }
}

function lineCount(text: string): number {
  if (text === "") return 0
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0)
}
