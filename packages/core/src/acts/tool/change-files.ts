import path from "node:path"
import { errorCode } from "../../ground/error/error-code.ts"
import { errorText } from "../../ground/error/error-text.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { PermissionMetadata } from "../../ground/schema/index.ts"
import type { FileChangeMetadata, FileWriting } from "../../ground/schema/tool-metadata.ts"
import { askExternalDirectory } from "./ask-external.ts"
import { assertKnown } from "./assert-known.ts"
import { contentSum } from "./check-writing.ts"
import { temporaryName } from "./checked-file.ts"
import { describeChange } from "./describe-change.ts"
import type { WithFileLock } from "./file-locks.ts"
import { alwaysOfEdit, createFileGuard, type FileGuard, ownFileError } from "./guarded-files.ts"
import type { Files, StagedFile, WrittenFile } from "./machine.ts"
import { QuotingError } from "./quoting-error.ts"
import { encodeText, readTextFile, type TextFile } from "./text-file.ts"
import type { ToolContext, ToolResult } from "./tool.ts"
import { resolveWorktreePath, type WorktreePath, worktreeRoots } from "./worktree-path.ts"

/** Characters of the diffs of a call, together; the diffs of further files are not stored. */
const MAX_DIFFS = 1_000_000

/** Makes the new text of a file from the old one (null: no file). Throw to leave all files unchanged. */
type ChangeText = (before: string | null, name: string) => string | null | Promise<string | null>

/** What a call does to one file. */
export interface FileChange {
  filePath: string
  /** A byte order mark stays. */
  keepBom: boolean
  change: ChangeText
  /** The file goes away: a link is not followed then. */
  removes?: true
  /** The file that is moved here: the new one gets its mode and byte order mark. It comes before this one. */
  movedFrom?: string
}

interface FileChanges {
  changes: readonly FileChange[]
  withLock: WithFileLock
  /** The result that the model reads after the changes, of which there is one for each file, with their new texts. */
  tell(changes: readonly FileChangeMetadata[], texts: readonly (string | null)[]): { title: string; output: string }
}

/** What a call changed. `metadata` has the versions of the files as they were written. */
interface ChangedFiles {
  title: string
  output: string
  changes: FileChangeMetadata[]
}

/** A file whose change is allowed by its place. */
interface Target extends FileChange {
  place: WorktreePath
  patterns: string[]
}

/** A change that is ready to be written. */
interface Planned {
  target: Target
  before: TextFile | null
  /** The text of the file that is moved here. */
  moved: { from: string; text: string } | null
  /** Null when the file is removed. */
  text: string | null
  content: Buffer | null
  mode: number | null
  change: FileChangeMetadata
  temporary: string
}

/** Changes one file, see `changeFiles`. */
export async function changeFile(
  context: ToolContext,
  options: FileChange & { withLock: WithFileLock; tell(change: FileChangeMetadata, text: string): string },
): Promise<ToolResult<"edit" | "write" | "multiedit">> {
  const { withLock, tell, ...change } = options
  const { changes, ...result } = await changeFiles(context, {
    changes: [change],
    withLock,
    tell: ([made], [text]) => ({ title: made?.file ?? "", output: made === undefined ? "" : tell(made, text ?? "") }),
  })
  const [made] = changes
  if (made === undefined) throw new Error("No file was changed.")
  return { ...result, metadata: made }
}

/**
 * Changes text files, all or none: resolves and checks their paths, asks once for `edit` with the diffs, and writes them
 * atomically, all under the files' locks. What is planned is noted beforehand. If a write fails, the files before it are
 * put back.
 * @throws Error when the session has not read a file as it is now, a file is named twice, or a file changed while the
 * user was being asked
 */
export async function changeFiles(
  context: ToolContext,
  { changes, withLock, tell }: FileChanges,
): Promise<ChangedFiles> {
  const targets = await resolveTargets(context, changes)
  return locked(context, targets.map(({ place }) => place.real).sort(), withLock, async () => {
    const asked = await planChanges(context, targets)
    const patterns = [...new Set(targets.flatMap((target) => target.patterns))]
    const metadata = questionOf(asked)
    await context.ask({ permission: "edit", patterns, always: alwaysOfEdit(patterns), metadata })
    const { planned, notes } = await asWritten(context, asked)
    const { title, output } = tell(
      planned.map(({ change }) => change),
      planned.map(({ text }) => text),
    )
    const result = { title, output: [output, ...notes].join("\n\n") }
    await Promise.all([
      ...planned.map(({ target, before }) => context.beforeChange(target.place.real, before ?? undefined)),
      context.noteWriting(planned.map((plan) => noteOf(plan, result))),
    ])
    context.signal.throwIfAborted()
    await assertUnchanged(context.files, planned)
    const written = await writeAll(context.files, planned)
    return report(context, planned, written, result)
  })
}

/** Holds the locks of all files, which are in order, so that no two calls wait for each other. */
function locked<T>(
  context: ToolContext,
  files: readonly string[],
  withLock: WithFileLock,
  work: () => Promise<T>,
): Promise<T> {
  const [first, ...rest] = files
  if (first === undefined) return work()
  return withLock(first, context.signal, () => locked(context, rest, withLock, work))
}

async function resolveTargets(context: ToolContext, changes: readonly FileChange[]): Promise<Target[]> {
  const roots = worktreeRoots(context)
  const guarded = createFileGuard(context, roots)
  // Awaited below, unless a path is refused first.
  guarded.catch(() => {})
  const targets: Target[] = []
  for (const change of changes) {
    const place = await resolveWorktreePath(context, change.filePath, roots)
    refuseGitInternals(place.name)
    const guard: FileGuard = await guarded
    if (guard.isOwn(place.real)) throw ownFileError(change.filePath)
    if (targets.some((target) => target.place.real === place.real)) {
      throw new Error(`${place.shown} is named more than once. Nothing was changed; put all its changes in one place.`)
    }
    const named = path.resolve(context.directory, change.filePath)
    if (change.removes) await refuseLink(named, place)
    targets.push({ ...change, place, patterns: guard.editPatterns({ named, real: place.real }) })
  }
  for (const { place, change } of targets) {
    const intended = () => describeIntent(context.files, place, change)
    await askExternalDirectory(context, place, { kind: "file", reads: false, metadata: intended })
  }
  return targets
}

/** To remove what a link leads to would leave the link behind, and take a file away that was not named. */
async function refuseLink(named: string, place: WorktreePath): Promise<void> {
  const own = path.join(await realpathOfDeepest(path.dirname(named)), path.basename(named))
  if (own === place.real) return
  throw new Error(
    `${place.shown} is a link or reached through one. Name the file itself, or remove the link with bash.`,
  )
}

/** Reads every file and makes its new text. Nothing is written before all of them are there. */
async function planChanges(context: ToolContext, targets: readonly Target[]): Promise<Planned[]> {
  const planned: Planned[] = []
  let room = MAX_DIFFS
  for (const target of targets) {
    const { place, keepBom, change, movedFrom } = target
    const before = await readExisting(context.files, place.real, place.name)
    if (before !== null) await assertKnown(context, place, before)
    const after = await changedText(context, { before: before?.text ?? null, name: place.name, change })
    const source = planned.find((plan) => plan.target.filePath === movedFrom)
    const like = before ?? source?.before ?? null
    const moved = source === undefined ? null : { from: source.change.file, text: source.before?.text ?? "" }
    const described = changeOf(place.name, { before, moved, text: after }, room)
    room -= described.diff.length
    planned.push({
      target,
      before,
      moved,
      text: after,
      content: after === null ? null : encodeText(after, keepBom && (like?.bom ?? false)),
      mode: like?.mode ?? null,
      change: described,
      temporary: temporaryName(),
    })
  }
  // What was moved is shown at its new place.
  return planned.toSorted((a, b) => Number(a.content === null) - Number(b.content === null))
}

/** An agent that does not read files sees no lines of one in an error either. */
async function changedText(
  { known }: ToolContext,
  { before, name, change }: { before: string | null; name: string; change: ChangeText },
): Promise<string | null> {
  try {
    return await change(before, name)
  } catch (error) {
    if (known === null && error instanceof QuotingError) throw new Error(error.unquoted, { cause: error })
    throw error
  }
}

function changeOf(
  name: string,
  { before, moved, text }: Pick<Planned, "before" | "moved" | "text">,
  room: number,
): FileChangeMetadata {
  return describeChange(name, { before: before?.text ?? null, after: text, ...(moved !== null && { moved }) }, room)
}

/** Lets the hooks put other texts in place of those that were allowed, as a formatter does. */
async function asWritten(
  context: ToolContext,
  planned: readonly Planned[],
): Promise<{ planned: Planned[]; notes: string[] }> {
  const texts = planned.flatMap(({ target, before, moved, text }) => {
    const old = before?.text ?? moved?.text ?? null
    const { real, name } = target.place
    if (text === null || text === old) return []
    const mayShow = context.known !== null
    return [{ file: real, name, before: old, text: withoutBom(text), mayShow, notes: [] }]
  })
  const written = texts.length === 0 ? [] : await context.beforeWrite(texts)
  let room = MAX_DIFFS
  const now = planned.map((plan): Planned => {
    const made = written.find(({ file }) => file === plan.target.place.real)
    const isOther = made !== undefined && plan.text !== null && made.text !== withoutBom(plan.text)
    const change = isOther ? changeOf(plan.target.place.name, { ...plan, text: made.text }, room) : plan.change
    room -= change.diff.length
    if (!isOther || plan.content === null) return plan
    const content = encodeText(made.text, plan.content.subarray(0, 3).equals(bom))
    return { ...plan, text: made.text, content, change }
  })
  return { planned: now, notes: written.flatMap(({ notes }) => notes) }
}

const bom = Buffer.from("\uFEFF")

function withoutBom(text: string): string {
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}

function questionOf(planned: readonly Planned[]): PermissionMetadata {
  const [first, ...rest] = planned.map(({ change }) => change)
  if (first !== undefined && rest.length === 0) return { kind: "change", ...first }
  return { kind: "changes", changes: planned.map(({ change }) => change) }
}

function noteOf(
  { target, before, content, change, temporary }: Planned,
  result: { title: string; output: string },
): FileWriting {
  return {
    path: target.place.real,
    before: before === null ? null : contentSum(before.bytes),
    after: content === null ? null : contentSum(content),
    temporary,
    ...result,
    change,
  }
}

async function assertUnchanged(files: Files, planned: readonly Planned[]): Promise<void> {
  for (const { target, before } of planned) {
    const { real, name } = target.place
    const isSame = before !== null && (await files.hasStamp(real, before.stamp))
    const now = isSame ? before : await readExisting(files, real, name)
    if (now?.text !== before?.text) {
      throw new Error(`${name} was changed by someone else meanwhile. Read it again, then repeat the change.`)
    }
  }
}

/** Null for a file that was removed. */
type Written = WrittenFile | null

/**
 * Writes the contents of several files beside these first, where a full disk shows, then puts them in place.
 * @throws Error when one failed; the message says what could not be put back
 */
async function writeAll(files: Files, planned: readonly Planned[]): Promise<Written[]> {
  const [only, ...others] = planned
  if (only !== undefined && others.length === 0) return [await writeOne(files, only)]
  const staged: (StagedFile | null)[] = []
  const written: Written[] = []
  try {
    for (const { target, content, mode, temporary } of planned) {
      staged.push(content === null ? null : await files.stage(target.place.real, content, { mode, temporary }))
    }
    // Staging takes its time, in which somebody may have saved a file.
    await assertUnchanged(files, planned)
    for (const [index, plan] of planned.entries()) {
      const file = staged[index]
      written.push(file ? await file.commit() : await writeOne(files, plan))
    }
    return written
  } catch (error) {
    for (const file of staged.slice(written.length)) await file?.discard()
    throw await putBack(files, planned.slice(0, written.length), error)
  }
}

async function writeOne(files: Files, { target, content, mode, temporary }: Planned): Promise<Written> {
  const { real } = target.place
  if (content !== null) return files.write(real, content, { mode, temporary })
  await files.remove(real)
  return null
}

/** Takes back what was written, the last one first. Returns the error for the model. */
async function putBack(files: Files, done: readonly Planned[], cause: unknown): Promise<Error> {
  const failed: string[] = []
  for (const { target, before, mode } of done.toReversed()) {
    const { real, name } = target.place
    try {
      if (before === null) await files.remove(real)
      else await files.write(real, before.bytes, { mode, temporary: temporaryName() })
    } catch (error) {
      failed.push(`${name} (${errorText(error)})`)
    }
  }
  const why = `A file could not be written: ${errorText(cause)}`
  if (failed.length > 0) {
    return new Error(`${why} These files were changed and could not be put back: ${failed.join(", ")}. Read them.`, {
      cause,
    })
  }
  const back = done.length === 0 ? "No file was changed." : "The files before it were put back, so nothing is changed."
  return new Error(`${why} ${back}`, { cause })
}

/** Tells undo, the session and the hooks what was written, and gathers what the hooks say. */
async function report(
  context: ToolContext,
  planned: readonly Planned[],
  written: readonly Written[],
  result: { title: string; output: string },
): Promise<ChangedFiles> {
  const notes: string[] = []
  const changes: FileChangeMetadata[] = []
  for (const [index, { target, before, content, change }] of planned.entries()) {
    const made = written[index]
    const { real, name } = target.place
    if (made === undefined || made === null || content === null) {
      await context.afterChange(real, null)
      changes.push(change)
      continue
    }
    // Undo compares the stamp of the file, so a later write within the same tick must not look like the tool's own.
    const { version, ...facts } = made
    context.known?.wrote(name, version)
    const note = await context.afterChange(real, { bytes: content, ...facts }, before?.text ?? null)
    if (note !== null) notes.push(note)
    changes.push({ ...change, version })
  }
  return { title: result.title, output: [result.output, ...notes].join("\n\n"), changes }
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
    const before = (await readExisting(files, real, name))?.text ?? null
    return { kind: "change", ...describeChange(name, { before, after: await change(before, name) }) }
  } catch {
    return { kind: "path", path: real }
  }
}

const howToSave = "Ask the user to save it, then read it again and repeat the change."

/** @throws Error when an editor has a newer text: saving that would write over the change. */
async function readExisting(files: Files, real: string, name: string): Promise<TextFile | null> {
  try {
    await using handle = await files.open(real)
    if (handle.isUnsaved) throw new Error(`${name} has changes in the editor that are not saved. ${howToSave}`)
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
