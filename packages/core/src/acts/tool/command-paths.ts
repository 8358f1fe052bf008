import { stat } from "node:fs/promises"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { realpathOfDeepest } from "../../ground/file/realpath-of-deepest.ts"
import { namesConfig } from "../../ground/rule/config-files.ts"
import { UNKNOWN_PATTERN } from "../../ground/rule/evaluate.ts"
import { externalPattern } from "./ask-external.ts"
import { interpreters } from "./command-names.ts"
import { createFileGuard, type FileGuard } from "./guarded-files.ts"
import { innerCommands, mostInner } from "./inner-commands.ts"
import { type ShellCommand, type ShellWord, wordSet } from "./shell-command.ts"
import type { ToolContext } from "./tool.ts"
import { changedBy, expandHome, expandTilde, matchesOf, pathsOf, startsElsewhere } from "./word-paths.ts"

/** The files and directories that a script names, as patterns for the permissions that guard them. */
export interface CommandPaths {
  /** `external_directory`: directories outside the worktree, `*` for one that is computed at run time. */
  external: string[]
  /** `edit`: files that a redirection writes, and Docket configuration that a command may change. */
  writes: string[]
  /** `read`: existing files of the worktree that are named as arguments. */
  reads: string[]
  /** Docket's own files that the script would change; such a script is refused. */
  refused: string[]
}

/** The paths of a script that cannot be analysed. */
export const unknownPaths: CommandPaths = {
  external: [UNKNOWN_PATTERN],
  writes: [UNKNOWN_PATTERN],
  reads: [UNKNOWN_PATTERN],
  refused: [],
}

interface CommandPlace extends Pick<ToolContext, "directory" | "ownDirectories"> {
  cwd: string
  /** The real path of the worktree. */
  worktree: string
  /** The value of `~` and `$HOME`. */
  home: string
  /** Real paths of directories outside the worktree that commands may use. */
  allowed: string[]
  /** The skill directories among the allowed ones. Commands may run and copy their files, but not change them. */
  skills: readonly string[]
}

/** Device files whose reading or writing touches no real file. */
const streams = /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|random|urandom|fd\/\d+)$/
/** Most arguments that are looked up in the file system; a script with more counts as touching anything. */
const MAX_CHECKED = 200
/** Most files that the wildcards of a script may match; with more, the script counts as touching anything. */
const MAX_MATCHED = 1_000
/** These run their command in the same shell, so a `cd` in it stays in effect. */
const sameShell = new Set(["builtin", "command", "eval"])

/**
 * Finds the files and directories that a script names. Only the text of the script is judged: a program may still open
 * other files, and a path computed at run time is seen only as the target of `cd` or a redirection. `cd` changes the
 * base of later relative paths.
 */
export async function commandPaths(commands: ShellCommand[], place: CommandPlace): Promise<CommandPaths> {
  const search: Search = {
    place,
    guard: await createFileGuard({ ...place, ownPlan: null }),
    found: { external: new Set(), writes: new Set(), reads: new Set(), refused: new Set() },
    entered: new Set([place.cwd]),
    cdMayFail: false,
    lookupsLeft: MAX_CHECKED,
    matchesLeft: MAX_MATCHED,
  }
  let cwd = place.cwd
  for (const command of commands) cwd = await addCommand(search, command, { from: cwd, depth: 0 })
  const { external, writes, reads, refused } = search.found
  return { external: [...external], writes: [...writes], reads: [...reads], refused: [...refused] }
}

/** The state of the analysis of one script. */
interface Search {
  place: CommandPlace
  guard: FileGuard
  found: Record<keyof CommandPaths, Set<string>>
  /**
   * Directories entered by `cd`. A `cd` may fail or run in a subshell, so later paths are resolved against all of them.
   */
  entered: Set<string>
  /** The script enters a directory that does not exist, so later commands may run elsewhere. */
  cdMayFail: boolean
  /** How many arguments may still be looked up in the file system. */
  lookupsLeft: number
  /** How many files the wildcards of the script may still match. */
  matchesLeft: number
}

/** Adds the paths that a command names, and returns the directory in which the next command starts. */
async function addCommand(
  search: Search,
  command: ShellCommand,
  { from, depth }: { from: string; depth: number },
): Promise<string> {
  for (const target of command.writes) await addWrite(search, target, from)
  const [name, ...args] = command.words
  if (movesElsewhere(command)) search.found.external.add(UNKNOWN_PATTERN)
  if (name?.value === "cd" || name?.value === "pushd") return enter(search, args, from)
  const named = args.flatMap((word) => pathsOf(word, search.place.home, name?.value))
  for (const candidate of [...named, ...command.reads.map((file) => expandTilde(file, search.place.home))]) {
    if (search.lookupsLeft-- > 0) await addArgument(search, candidate, { from, command: name?.value ?? "" })
    else search.found.external.add(UNKNOWN_PATTERN)
  }
  for (const word of args) await addMatches(search, word, from)
  const isOfSkill = (word: ShellWord) => namesSkill(search, word, from)
  const read = search.place.skills.length === 0 ? null : await readOfSkills(command, isOfSkill)
  const changed = leavesArgumentsAlone(command) ? [] : args.filter((word) => !read?.has(word))
  for (const word of changed) {
    // Once no lookup is left, only words that name Docket's files are checked; permission is asked for everything
    // outside anyway.
    if (search.lookupsLeft > 0 || /docket/i.test(word.value)) await addChanged(search, word, from)
  }
  let inside = from
  if (depth < mostInner) {
    for (const inner of innerCommands(command).commands)
      inside = await addCommand(search, inner, { from: inside, depth: depth + 1 })
  }
  return sameShell.has(name?.value ?? "") ? inside : from
}

/** Whether a word names a path in a skill's directory, whichever directory the command starts in. */
async function namesSkill(search: Search, word: ShellWord, from: string): Promise<boolean> {
  const { home, skills } = search.place
  const value = expandHome(word, home)
  if (value === null || (!word.literal && /[*?[{$`<]/.test(value))) return false
  const reals = await Promise.all(places(search, from).map((directory) => resolveFrom(directory, value)))
  const isOfSkill = (real: string) => skills.some((directory) => isWithin(directory, real))
  const isThere = (real: string) => stat(real).then(Boolean, () => false)
  const others = await Promise.all(reals.filter((real) => !isOfSkill(real)).map(isThere))
  return reals.some(isOfSkill) && !others.includes(true)
}

/** Whether the command sets a variable that changes where `cd` and `~` lead. */
function movesElsewhere({ words, assignments }: ShellCommand): boolean {
  const [name, ...args] = words.map(({ value }) => value)
  const isLasting = name === undefined || name === "cd" || name === "pushd"
  const set = isLasting ? assignments : name === "export" || name === "declare" ? args : []
  return set.some((text) => /^(?:CDPATH|HOME|PWD|OLDPWD)=/.test(text))
}

/** Adds what the wildcards of a word match. A word that only the shell can resolve adds the unknown pattern. */
async function addMatches(search: Search, word: ShellWord, from: string): Promise<void> {
  if (startsElsewhere(word)) search.found.external.add(UNKNOWN_PATTERN)
  for (const directory of places(search, from)) {
    for await (const match of matchesOf(word, directory, search.place.home)) {
      if (match === null || search.matchesLeft-- <= 0) {
        search.found.reads.add(UNKNOWN_PATTERN)
        return
      }
      await addThere(search, match, { directory, from })
    }
  }
}

/** Adds Docket's configuration and own files that a command may change. */
async function addChanged(search: Search, word: ShellWord, from: string): Promise<void> {
  for (const directory of places(search, from)) {
    for (const candidate of await changedBy(word, directory, search.place.home))
      await addGuarded(search, candidate, directory)
  }
}

async function addGuarded(search: Search, candidate: string, from: string): Promise<void> {
  const named = path.resolve(from, candidate)
  const real = await resolveFrom(from, candidate)
  if (search.guard.isOwn(real)) search.found.refused.add(candidate)
  const patterns = search.guard.editPatterns({ named, real })
  if (patterns.some(namesConfig)) for (const pattern of patterns) search.found.writes.add(pattern)
}

async function addWrite(search: Search, target: string | null, from: string): Promise<void> {
  if (target === null) {
    search.found.writes.add(UNKNOWN_PATTERN)
    search.found.external.add(UNKNOWN_PATTERN)
    return
  }
  const real = await resolveFrom(from, expandTilde(target, search.place.home))
  if (streams.test(real) || streams.test(target)) return
  for (const directory of places(search, from)) {
    const file = await resolveFrom(directory, expandTilde(target, search.place.home))
    await addGuarded(search, expandTilde(target, search.place.home), directory)
    if (isWithin(search.place.worktree, file)) search.found.writes.add(path.relative(search.place.worktree, file))
    else if (directory === from || search.cdMayFail || (await stat(file).catch(() => null)) !== null)
      search.found.external.add(externalPattern(path.dirname(file)))
  }
}

async function enter(search: Search, args: ShellWord[], from: string): Promise<string> {
  const word = args.find((candidate) => !/^-[a-zA-Z@]+$|^--$/.test(candidate.value))
  const target = word === undefined ? search.place.home : expandHome(word, search.place.home)
  const leadsElsewhere = word !== undefined && startsElsewhere(word)
  if (target === null || target === "-" || leadsElsewhere) {
    search.found.external.add(UNKNOWN_PATTERN)
    return from
  }
  const real = await resolveFrom(from, target)
  if (!isAllowed(search, real)) search.found.external.add(externalPattern(real))
  if (!(await stat(real).catch(() => null))?.isDirectory()) search.cdMayFail = true
  search.entered.add(real)
  return real
}

async function addArgument(
  search: Search,
  candidate: string,
  { from, command }: { from: string; command: string },
): Promise<void> {
  // The first place is `from`.
  const [isInFrom] = await Promise.all(
    places(search, from).map((directory) => addThere(search, candidate, { directory, from })),
  )
  const real = await resolveFrom(from, candidate)
  if (isInFrom || streams.test(real) || streams.test(candidate) || isAllowed(search, real)) return
  if (await looksLikePath(real, candidate, command)) search.found.external.add(externalPattern(path.dirname(real)))
}

/** The directories in which a command may run, most likely first. */
function places(search: Search, from: string): string[] {
  return [...new Set([from, ...search.entered])]
}

/**
 * Adds an existing path and returns whether it exists. A directory outside that is only found from a less likely start
 * directory counts only when a `cd` may fail.
 */
async function addThere(
  search: Search,
  candidate: string,
  { directory, from }: { directory: string; from: string },
): Promise<boolean> {
  const real = await resolveFrom(directory, candidate)
  const facts = await stat(real).catch(() => null)
  if (facts === null || streams.test(real) || streams.test(candidate)) return facts !== null
  const isLikely = directory === from || search.cdMayFail || !facts.isDirectory()
  if (isWithin(search.place.worktree, real)) {
    if (facts.isFile()) search.found.reads.add(path.relative(search.place.worktree, real))
  } else if (isLikely && !isAllowed(search, real))
    search.found.external.add(externalPattern(facts.isDirectory() ? real : path.dirname(real)))
  return true
}

function isAllowed(search: Search, real: string): boolean {
  return [search.place.worktree, ...search.place.allowed].some((directory) => isWithin(directory, real))
}

async function resolveFrom(cwd: string, target: string): Promise<string> {
  try {
    return await realpathOfDeepest(path.resolve(cwd, target))
  } catch {
    return path.resolve(cwd, target)
  }
}

/** Commands that may create a path that does not exist yet. */
const creators = wordSet("mkdir touch cp mv ln tee install dd rsync truncate tar unzip")

/**
 * Whether an argument that does not exist is still a path: `../x` is, and so is a path below an existing top directory.
 * `/foo/` of a sed or grep expression is not.
 */
async function looksLikePath(real: string, candidate: string, command: string): Promise<boolean> {
  if (!candidate.startsWith("/")) return true
  const [top = "", ...below] = real.split("/").filter((part) => part !== "")
  if (below.length === 0) return creators.has(command)
  return (await stat(`/${top}`).catch(() => null)) !== null
}

/** Commands that never change the files in their arguments, whatever the options. */
const readers = wordSet(
  "[ basename cat cksum cmp cut diff dirname du echo egrep false fgrep file grep head jq ls md5sum nl od",
  "printf pwd readlink realpath rg sha1sum sha256sum stat strings tac tail test tr true type wc which",
)
/** Sub-commands of git that do not change the files they are given. */
const readingGit = wordSet(
  "add blame cat-file check-ignore commit describe diff grep log ls-files rev-parse shortlog show status",
)

/** Whether a command is known not to change the files it is given. */
function leavesArgumentsAlone({ words }: ShellCommand): boolean {
  const [name, second] = words
  if (name === undefined) return true
  if (readers.has(name.value)) return true
  return (
    name.value === "git" && readingGit.has(second?.value ?? "") && !words.some(({ value }) => value.startsWith("--out"))
  )
}

/** After these options follows the text of the program, so the arguments include no script file. */
const inlineProgram = /^-(?:-eval|-print|[a-zA-Z]*[cepE])/

/**
 * The arguments that a command only reads because of a skill. A command that runs a skill's script reads all arguments
 * in skill directories; `cp` reads what it copies from there. The user installed the skill, so its programs run like
 * any other, and their arguments do not tell what else they write.
 * @param isOfSkill whether a word names a path in a skill's directory
 */
async function readOfSkills(
  { words }: Pick<ShellCommand, "words">,
  isOfSkill: (word: ShellWord) => Promise<boolean>,
): Promise<ReadonlySet<ShellWord>> {
  const [name, ...args] = words
  if (name === undefined) return new Set()
  const candidates = await candidatesOf(name, args, isOfSkill)
  const found = await Promise.all(candidates.map(async (word) => ((await isOfSkill(word)) ? [word] : [])))
  return new Set(found.flat())
}

async function candidatesOf(
  name: ShellWord,
  args: ShellWord[],
  isOfSkill: (word: ShellWord) => Promise<boolean>,
): Promise<ShellWord[]> {
  if (name.value === "cp" && !args.some(({ value }) => /^-(?:-target|[a-zA-Z]*t)/.test(value))) return args.slice(0, -1)
  const isInterpreter = interpreters.has(name.value) && !args.some(({ value }) => inlineProgram.test(value))
  const named = isInterpreter ? args.find(({ value }) => !value.startsWith("-") && value !== "run") : name
  // A name without a slash is looked up among the installed programs.
  const program = isInterpreter || name.value.includes("/") ? named : undefined
  return program !== undefined && (await isOfSkill(program)) ? args : []
}
