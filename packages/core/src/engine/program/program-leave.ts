import type { PermissionAsk } from "../../acts/permission/judge.ts"
import { askExternalDirectory } from "../../acts/tool/ask-external.ts"
import { askForCommand } from "../../acts/tool/ask-for-command.ts"
import { alwaysOfEdit, createFileGuard, ownFileError } from "../../acts/tool/guarded-files.ts"
import type { AskPlace } from "../../acts/tool/tool.ts"
import { addressReadings } from "../../acts/tool/web/web-address.ts"
import { resolveWorktreePath, type WorktreePath } from "../../acts/tool/worktree-path.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import type { PermissionMetadata } from "../../ground/schema/index.ts"
import type { ProgramCall } from "./agent-programs.ts"
import { createCallChanges, mostListed, newDiffRoom } from "./program-call-changes.ts"
import { shownInput } from "./shown-input.ts"

/** The permission for what is like none of Docket's tools. Its patterns are the program's own names. */
const otherPermission = "acp"

/** What a program was allowed for a call. Each work of it is done once with this leave. */
export interface ProgramLeave {
  works: Set<string>
  /** Whether exactly this was asked for the call, and allowed. */
  covers(request: Pick<PermissionAsk, "permission" | "patterns">): boolean
}

/**
 * Asks the rules, and people, whether a program may make its call, as they would be asked for Docket's own.
 * @throws PermissionDeniedError, PermissionRejectedError, or why it cannot be allowed
 */
export async function askForCall(
  call: ProgramCall,
  place: AskPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<ProgramLeave> {
  const works = new Set(await worksOf(call, place))
  const allowed = new Set<string>()
  const nameOf = (permission: string, pattern: string) => `${permission}\0${pattern}`
  const ask: AskPlace["ask"] = async (request) => {
    await place.ask(request)
    for (const pattern of request.patterns) allowed.add(nameOf(request.permission, pattern))
  }
  await askAsIts(call, { ...place, ask }, env)
  return {
    works,
    covers: ({ permission, patterns }) => patterns.every((pattern) => allowed.has(nameOf(permission, pattern))),
  }
}

/** The same text in the same real file. The program can put a link in its place once it was allowed. */
export async function workOfWrite(file: string, text: string): Promise<string> {
  return `edit\0${await realpathOfDeepest(file)}\0${text}`
}

/** The same command in the same real directory. */
export async function workOfCommand(directory: string, command: string): Promise<string> {
  return `bash\0${await realpathOfDeepest(directory)}\0${command}`
}

/** What Docket may have to do for a call, as it is when the program asks. */
async function worksOf({ tool, command, changes }: ProgramCall, { directory }: AskPlace): Promise<string[]> {
  if (tool === "bash") return command === null ? [] : [await workOfCommand(directory, command)]
  if (tool !== "edit") return []
  return Promise.all(changes.map(({ file, after }) => workOfWrite(file, after)))
}

/** Asks as Docket's own tool would that the call is like. */
async function askAsIts(
  call: ProgramCall,
  place: AskPlace,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  if (call.tool === "bash" && call.command !== null) {
    await askForCommand({ command: call.command, description: call.title }, place, { env })
  } else if (call.tool === "edit" && call.files.length > 0) {
    await askForEdit(call, place)
  } else if (call.tool === "read" && call.files.length > 0) {
    await askForRead(call, place)
  } else if (call.tool === "webfetch" && call.url !== null && URL.canParse(call.url)) {
    const address = new URL(call.url)
    await place.ask({
      permission: "webfetch",
      patterns: addressReadings(address),
      always: [`${address.origin}/*`],
      metadata: { kind: "address", url: address.href },
    })
  } else {
    const pattern = call.name
    await place.ask({
      permission: otherPermission,
      patterns: [pattern],
      // As a pattern, a name with wildcards would match others too.
      always: /[*?]/.test(pattern) ? [] : [pattern],
      metadata: await ownMetadata(call, place),
    })
  }
}

async function askForEdit(call: ProgramCall, place: AskPlace): Promise<void> {
  if (Math.max(call.files.length, call.changes.length) > mostListed)
    throw new Error(`A call may change at most ${mostListed} files: nobody can see more of them before they allow it.`)
  const guard = await createFileGuard(place)
  const targets: WorktreePath[] = []
  const patterns: string[] = []
  for (const file of call.files) {
    const target = await resolveWorktreePath(place, file)
    if (guard.isOwn(target.real)) throw ownFileError(target.shown)
    targets.push(target)
    patterns.push(...guard.editPatterns({ named: file, real: target.real }))
  }
  const metadata = editMetadata(call, targets)
  for (const target of targets) await askExternalDirectory(place, target, { kind: "file", reads: false, metadata })
  await place.ask({ permission: "edit", patterns: [...new Set(patterns)], always: alwaysOfEdit(patterns), metadata })
}

function editMetadata(call: ProgramCall, targets: readonly WorktreePath[]): PermissionMetadata {
  const described = describeChanges(call, targets)
  const [first] = described
  if (first === undefined) return programMetadata(call, targets)
  return described.length === 1 ? { kind: "change", ...first } : { kind: "changes", changes: described }
}

function describeChanges({ changes, files }: ProgramCall, targets: readonly WorktreePath[]) {
  const names = new Map(files.map((file, index) => [file, targets[index]?.name ?? file]))
  return createCallChanges(newDiffRoom(), () => performance.now()).describe(changes, (file) => names.get(file) ?? file)
}

/** For a call that only the program itself can explain. */
async function ownMetadata(call: ProgramCall, place: AskPlace): Promise<PermissionMetadata> {
  const files = call.files.slice(0, mostListed)
  return programMetadata(call, await Promise.all(files.map((file) => resolveWorktreePath(place, file))))
}

function programMetadata(call: ProgramCall, targets: readonly WorktreePath[]): PermissionMetadata {
  const diffs = describeChanges(call, targets).flatMap(({ diff }) => (diff === "" ? [] : [diff]))
  return {
    kind: "other",
    title: call.title,
    input: shownInput(call.input),
    program: {
      kind: call.kind,
      tool: call.name,
      files: targets.map(({ name }) => name),
      ...(diffs.length > 0 && { diff: diffs.join("\n") }),
    },
  }
}

async function askForRead(call: ProgramCall, place: AskPlace): Promise<void> {
  const targets = await Promise.all(call.files.map((file) => resolveWorktreePath(place, file)))
  for (const target of targets) {
    const metadata = { kind: "path", path: target.real, act: "read" } as const
    await askExternalDirectory(place, target, { kind: "file", reads: true, metadata })
  }
  const names = targets.map(({ name }) => name)
  await place.ask({ permission: "read", patterns: names, always: ["*"], metadata: { kind: "files", files: names } })
}
