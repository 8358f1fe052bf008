import { stat } from "node:fs/promises"
import { isWithin } from "../../ground/file/is-within.ts"
import { realpathOfDeepest, realpathsOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import { UNKNOWN_PATTERN } from "../../ground/rule/evaluate.ts"
import { readsOfCommand } from "../../ground/rule/index.ts"
import type { PermissionMetadata } from "../../ground/schema/index.ts"
import type { PermissionAsk } from "../permission/judge.ts"
import { askExternalDirectory } from "./ask-external.ts"
import { readRequest } from "./closed-files.ts"
import { analyseScript } from "./command-analysis.ts"
import { commandEffects } from "./command-effects.ts"
import { type CommandPaths, commandPaths, unknownPaths } from "./command-paths.ts"
import { commandPatterns, unknownWordPatterns } from "./command-patterns.ts"
import { ownFileError } from "./guarded-files.ts"
import { changesNoFile, isReader } from "./script-effects.ts"
import type { ShellCommand } from "./shell-command.ts"
import { defaultShell, shellAccepts } from "./shell-syntax.ts"
import type { AskPlace } from "./tool.ts"
import { resolveWorktreePath } from "./worktree-path.ts"

/** Bytes; the system starts no program with a longer argument (execve(2): 128 KiB). */
const MAX_COMMAND = 120_000
interface AskedCommand {
  /** The directory in which the command runs. */
  cwd: string
  /** Null when the script could not be analysed. */
  commands: ShellCommand[] | null
  /** Files that the command names and may read. */
  reads: string[]
  /** What the permission request shows about the command. */
  metadata(): Promise<Extract<PermissionMetadata, { kind: "command" }>>
}

interface CommandDeps {
  /** The environment of the service. */
  env: Readonly<Record<string, string | undefined>>
  /** Default `defaultShell`. */
  shell?: string
  isConfined?: PermissionAsk["isConfined"]
}

/** Asks for permission for the commands, for places outside the worktree and for redirected files. */
export async function askForCommand(
  args: { command: string; description?: string | undefined; workdir?: string | undefined },
  context: AskPlace,
  { env, shell = defaultShell, isConfined }: CommandDeps,
): Promise<AskedCommand> {
  const target = await resolveWorktreePath(context, args.workdir ?? ".")
  const { command, description = "" } = args
  const metadata = { kind: "command", command, description, workdir: target.real } as const
  await askExternalDirectory(context, target, { kind: "directory", reads: false, metadata })
  if (Buffer.byteLength(args.command) > MAX_COMMAND) {
    throw new Error(`The command is longer than ${MAX_COMMAND} bytes. Write the text to a file and use that.`)
  }
  const facts = await stat(target.real).catch(() => null)
  if (!facts?.isDirectory()) throw new Error(`The directory ${args.workdir ?? context.directory} does not exist.`)
  // A script that the shell rejects may be read differently by the analysis, so the analysis is not used for it.
  const commands = (await shellAccepts(shell, args.command, env.PATH)) ? analyseScript(args.command) : null
  const place = { cwd: target.real, home: env.HOME }
  const findPaths = () => (commands === null ? unknownPaths : pathsIn(commands, context, place))
  const { patterns, always } = commandPatterns(commands)
  // A script of redirections or `cd` alone has no command to name.
  const asked = patterns.length > 0 ? patterns : [args.command.trim()]
  if (commands === null || !changesNoFile(args.command, commands)) {
    const changing = (commands ?? []).filter((found) => !isReader(found))
    await context.refuseChanges(changing.length > 0 ? commandPatterns(changing).patterns : asked)
  }
  const metadataWithEffects = async (found?: CommandPaths) => ({
    ...metadata,
    effects: commandEffects(commands, found ?? (await findPaths())),
  })
  const unknown = unknownWordPatterns(commands ?? [])
  await context.ask({
    permission: "bash",
    patterns: asked,
    always,
    ...(unknown.length > 0 && { unknown }),
    metadata: () => metadataWithEffects(),
    ...(isConfined && { isConfined }),
  })
  // The paths are resolved again after a user was asked, because files may have changed meanwhile.
  const paths = await findPaths()
  const [refused] = paths.refused
  if (refused !== undefined) throw ownFileError(refused)
  // "Always" never covers what is computed at run time.
  const isKnown = (pattern: string) => pattern !== UNKNOWN_PATTERN
  const asks = [
    { permission: "external_directory", patterns: paths.external },
    { permission: "edit", patterns: paths.writes },
  ]
  for (const ask of asks) {
    const always = ask.patterns.filter(isKnown)
    if (ask.patterns.length > 0) await context.ask({ ...ask, always, metadata: () => metadataWithEffects(paths) })
  }
  const reads = paths.reads.filter(isKnown)
  if (paths.reads.length > 0) {
    const ask = readRequest({ patterns: paths.reads, command, metadata: () => metadataWithEffects(paths) })
    await context.ask({ ...ask, always: readsOfCommand(ask.command, reads) })
  }
  return { cwd: target.real, commands, reads, metadata: () => metadataWithEffects(paths) }
}

async function pathsIn(
  commands: ShellCommand[],
  context: AskPlace,
  { cwd, home = "/" }: { cwd: string; home: string | undefined },
): Promise<CommandPaths> {
  const skills = await guardedSkills(context)
  return commandPaths(commands, {
    cwd,
    worktree: await realpathOfDeepest(context.worktree),
    directory: context.directory,
    home,
    allowed: [await realpathOfDeepest(context.outputDirectory), ...skills],
    skills,
    ownDirectories: context.ownDirectories,
  })
}

/** The skill directories that commands can never change, because they lie in Docket's or the user's own directories. */
async function guardedSkills({ skillDirectories, ownDirectories }: AskPlace): Promise<string[]> {
  if (skillDirectories.length === 0) return []
  const own = await realpathsOfDeepest(ownDirectories.map(({ path: directory }) => directory))
  return skillDirectories.filter((directory) => own.some((at) => isWithin(at, directory)))
}
