import { stat } from "node:fs/promises"
import path from "node:path"
import { namesConfig } from "../permission/config-files.ts"
import { UNKNOWN_PATTERN } from "../permission/evaluate.ts"
import { externalPattern } from "./ask-external.ts"
import type { ShellCommand, ShellWord } from "./command-analysis.ts"
import { createFileGuard } from "./guarded-files.ts"
import { innerCommands } from "./inner-commands.ts"
import { leavesArgumentsAlone } from "./reading-commands.ts"
import type { ToolContext } from "./tool.ts"
import { changedBy, expandHome, expandTilde, matchesOf, pathsOf, startsElsewhere } from "./word-paths.ts"
import { isWithin, realpathOfDeepest } from "./worktree-path.ts"

/** What a script touches by name, as patterns of the permissions that guard it. */
export interface CommandPaths {
  /** `external_directory`: directories outside the worktree, `*` for one that is computed. */
  external: string[]
  /** `edit`: files that a redirection writes, and configuration of Docket that a command may change. */
  writes: string[]
  /** `read`: existing files of the worktree that are named as arguments. */
  reads: string[]
  /** Docket's own files that would be changed, which is refused. */
  refused: string[]
}

/** What a script touches that nobody can tell. */
export const unknownPaths: CommandPaths = {
  external: [UNKNOWN_PATTERN],
  writes: [UNKNOWN_PATTERN],
  reads: [UNKNOWN_PATTERN],
  refused: [],
}

export interface CommandPlace extends Pick<ToolContext, "directory" | "ownDirectories"> {
  cwd: string
  /** Resolved. */
  worktree: string
  /** What `~` and `$HOME` stand for. */
  home: string
  /** Resolved directories outside the worktree that commands may use. */
  allowed: string[]
}

/** Writing or reading these touches no file. */
const streams = /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|random|urandom|fd\/\d+)$/
/** Arguments that are looked up in the file system; a script with more may touch anything. */
const MAX_CHECKED = 200
/** Files that the wildcards of a script stand for; what matches more may match anything. */
const MAX_MATCHED = 1_000
/** Commands in commands whose paths are looked at. */
const MAX_DEPTH = 4
/** Run their command in this very shell, so that its `cd` lasts. */
const sameShell = new Set(["builtin", "command", "eval"])

/**
 * Finds the files and directories that a script names. It can only judge what is written in the script: a
 * program still opens what it likes, and a path that is put together at run time is not seen unless it is the
 * target of `cd` or of a redirection. `cd` moves where later relative paths start.
 */
export async function commandPaths(commands: ShellCommand[], place: CommandPlace): Promise<CommandPaths> {
  const found = { external: new Set<string>(), writes: new Set<string>(), reads: new Set<string>() }
  const refused = new Set<string>()
  // A `cd` may have been in a subshell, or have failed: what is there counts from every directory that was entered.
  const entered = new Set([place.cwd])
  let mayFail = false
  const guard = await createFileGuard(place)
  let budget = MAX_CHECKED
  let matches = MAX_MATCHED
  let cwd = place.cwd
  for (const command of commands) cwd = await visit(command, cwd, 0)
  return { external: [...found.external], writes: [...found.writes], reads: [...found.reads], refused: [...refused] }

  /** Answers with the directory that the next command starts in. */
  async function visit(command: ShellCommand, from: string, depth: number): Promise<string> {
    for (const target of command.writes) await addWrite(target, from)
    const [name, ...args] = command.words
    if (name?.value === "cd" || name?.value === "pushd") return enter(args, from)
    const named = args.flatMap((word) => pathsOf(word, place.home, name?.value))
    for (const candidate of [...named, ...command.reads.map((file) => expandTilde(file, place.home))]) {
      if (budget-- > 0) await addArgument(candidate, from, name?.value ?? "")
      else found.external.add(UNKNOWN_PATTERN)
    }
    for (const word of args) await addMatches(word, from)
    // Without a budget only what is named plainly is looked at: everything outside is asked for then.
    const changed = leavesArgumentsAlone(command) ? [] : args
    for (const word of changed) if (budget > 0 || /docket/i.test(word.value)) await addChanged(word, from)
    let inside = from
    if (depth < MAX_DEPTH) {
      for (const inner of innerCommands(command).commands) inside = await visit(inner, inside, depth + 1)
    }
    return sameShell.has(name?.value ?? "") ? inside : from
  }

  /** What the wildcards of a word stand for, and what only the shell knows. */
  async function addMatches(word: ShellWord, from: string): Promise<void> {
    if (startsElsewhere(word)) found.external.add(UNKNOWN_PATTERN)
    for (const directory of places(from)) {
      for await (const match of matchesOf(word, directory, place.home)) {
        if (match === null || matches-- <= 0) {
          found.reads.add(UNKNOWN_PATTERN)
          return
        }
        await addThere(match, directory, from)
      }
    }
  }

  /** Configuration and own files among what a command may change. */
  async function addChanged(word: ShellWord, from: string): Promise<void> {
    for (const directory of places(from)) {
      for (const candidate of await changedBy(word, directory, place.home)) await addGuarded(candidate, directory)
    }
  }

  async function addGuarded(candidate: string, from: string): Promise<void> {
    const named = path.resolve(from, candidate)
    const real = await resolveFrom(from, candidate)
    if (guard.isOwn(real)) refused.add(candidate)
    const patterns = guard.editPatterns({ named, real })
    if (patterns.some(namesConfig)) for (const pattern of patterns) found.writes.add(pattern)
  }

  async function addWrite(target: string | null, from: string): Promise<void> {
    if (target === null) {
      found.writes.add(UNKNOWN_PATTERN)
      found.external.add(UNKNOWN_PATTERN)
      return
    }
    const real = await resolveFrom(from, expandTilde(target, place.home))
    if (streams.test(real) || streams.test(target)) return
    for (const directory of places(from)) {
      const file = await resolveFrom(directory, expandTilde(target, place.home))
      await addGuarded(expandTilde(target, place.home), directory)
      if (isWithin(place.worktree, file)) found.writes.add(path.relative(place.worktree, file))
      else if (directory === from || mayFail || (await stat(file).catch(() => null)) !== null)
        found.external.add(externalPattern(path.dirname(file)))
    }
  }

  async function enter(args: ShellWord[], from: string): Promise<string> {
    const word = args.find((candidate) => !/^-[a-zA-Z@]+$|^--$/.test(candidate.value))
    const target = word === undefined ? place.home : expandHome(word, place.home)
    if (target === null || target === "-" || (word !== undefined && startsElsewhere(word))) {
      found.external.add(UNKNOWN_PATTERN)
      return from
    }
    const real = await resolveFrom(from, target)
    if (!isAllowed(real)) found.external.add(externalPattern(real))
    if (!(await stat(real).catch(() => null))?.isDirectory()) mayFail = true
    entered.add(real)
    return real
  }

  async function addArgument(candidate: string, from: string, command: string): Promise<void> {
    const there = await Promise.all(places(from).map((directory) => addThere(candidate, directory, from)))
    const real = await resolveFrom(from, candidate)
    if (there[0] || streams.test(real) || streams.test(candidate) || isAllowed(real)) return
    if (await looksLikePath(real, candidate, command)) found.external.add(externalPattern(path.dirname(real)))
  }

  /** Where a command may run, most likely first. */
  function places(from: string): string[] {
    return [...new Set([from, ...entered])]
  }

  /** Adds what exists by this name; answers whether it does. `..` of where it hardly runs is no question. */
  async function addThere(candidate: string, directory: string, from: string): Promise<boolean> {
    const real = await resolveFrom(directory, candidate)
    const facts = await stat(real).catch(() => null)
    if (facts === null || streams.test(real) || streams.test(candidate)) return facts !== null
    if (isWithin(place.worktree, real)) {
      if (facts.isFile()) found.reads.add(path.relative(place.worktree, real))
    } else if (!isAllowed(real) && (directory === from || mayFail || !facts.isDirectory()))
      found.external.add(externalPattern(facts.isDirectory() ? real : path.dirname(real)))
    return true
  }

  function isAllowed(real: string): boolean {
    return [place.worktree, ...place.allowed].some((directory) => isWithin(directory, real))
  }
}

async function resolveFrom(cwd: string, target: string): Promise<string> {
  try {
    return await realpathOfDeepest(path.resolve(cwd, target))
  } catch {
    return path.resolve(cwd, target)
  }
}

/** Commands that may make what does not exist yet. */
const makers = new Set([
  "mkdir",
  "touch",
  "cp",
  "mv",
  "ln",
  "tee",
  "install",
  "dd",
  "rsync",
  "truncate",
  "tar",
  "unzip",
])

/**
 * Whether an argument that does not exist is a path all the same: `../x` is, and so is what lies below an
 * existing top directory. `/foo/` of a sed or grep expression is not.
 */
async function looksLikePath(real: string, candidate: string, command: string): Promise<boolean> {
  if (!candidate.startsWith("/")) return true
  const [top = "", ...below] = real.split("/").filter((part) => part !== "")
  if (below.length === 0) return makers.has(command)
  return (await stat(`/${top}`).catch(() => null)) !== null
}
