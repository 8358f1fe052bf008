import { type Dirent, lstatSync } from "node:fs"
import path from "node:path"
import { directoriesBetween } from "../config/load-config.ts"
import { isWithin } from "../file/is-within.ts"
import { configNames } from "../rule/config-files.ts"
import { matchWildcard } from "../rule/wildcard.ts"
import type { LeftBehind } from "../schema/tool-metadata.ts"
import { controlFiles, isGitDirectory, switchOff } from "./git-control.ts"
import { isRef } from "./git-ref.ts"
import { keepLeft, patternOf, shownName } from "./keep-left.ts"
import { createKnownDirectories, type KnownDirectories } from "./known-directories.ts"
import { moveAside } from "./move-aside.ts"
import { startFiles } from "./place-mounts.ts"

/** What Docket and other programs read in a directory that somebody opens. */
const readByPrograms = new Set([...configNames, ".mcp.json", ".envrc", ".vscode", ".idea"])
const homeFiles = startFiles.filter((name) => name !== ".gitconfig")
/** Places that are remembered while nothing runs there. */
const maxIdle = 8

export interface LeftoverPlace {
  worktree: string
  directory: string
  /** What commands can change of the project. */
  roots: readonly string[]
  /** In these, and never looked at. */
  skip: readonly string[]
  /** The home of commands. */
  home: string
  /** For what is moved aside. */
  aside: string
  /** For what is known of all that could not be kept. */
  left: string
  /** What a person allowed, as `leftPattern` says it. */
  allowed(): Promise<readonly string[]>
  /** Names of files that may be closed to the command. */
  patterns: readonly string[]
}

export interface Look {
  /**
   * Looks again once nothing of the command runs: switches off what git would start, moves configuration aside, and says
   * what that was.
   */
  look(): Promise<LeftBehind[]>
  /** Configuration that is there, which the command may not change. */
  configuration: string[]
  /** Files that one of the patterns matches. */
  files: string[]
  /** Directories that could not be read. */
  unread: string[]
}

export interface Leftovers {
  /** Looks at a place before a command runs there. */
  before(place: LeftoverPlace): Promise<Look>
}

interface LeftoverDeps {
  env: Readonly<Record<string, string | undefined>>
  clock(): number
}

/** What is known of a place. */
interface Known {
  directories: KnownDirectories
  isRead: boolean
  /** Patterns of names that are kept in `closable`, by the directory of the file. */
  patterns: Set<string>
  closable: Map<string, string[]>
  /** Configuration that came while commands ran, to be judged when one has ended. */
  made: string[]
  /** Commands that run there. */
  running: Set<object>
  /** Names of configuration by the directory in which they lie. */
  names: Map<string, Set<string>>
  /** Of configuration that was there before commands ran, wherever its directory is moved. */
  marks: Set<string>
  homeNames: Set<string>
  gitDirectories: Set<string>
  /** Directories with a `.git` that is none itself. */
  pointers: Set<string>
  control: ReturnType<typeof controlFiles>
  /** One look after another. */
  last: Promise<unknown>
}

export function createLeftovers(deps: LeftoverDeps): Leftovers {
  const places = new Map<string, Known>()
  const knownOf = (place: LeftoverPlace): Known => {
    const key = JSON.stringify([place.worktree, place.roots, place.skip, place.home])
    const known = places.get(key) ?? unknownPlace(place, deps)
    // The one that was used last is forgotten last.
    places.delete(key)
    places.set(key, known)
    for (const [other, { running }] of places) {
      if (places.size <= maxIdle) break
      if (running.size === 0 && other !== key) places.delete(other)
    }
    return known
  }
  return {
    async before(place) {
      const known = knownOf(place)
      const run = {}
      await inTurn(known, async () => {
        await lookBefore(known, place, deps)
        // While a command runs, what changed is not taken for somebody else's.
        if (known.running.size === 0) remember(known, place)
        known.running.add(run)
      })
      return {
        look: () =>
          inTurn(known, async () => {
            try {
              return await lookAfter(known, place, deps)
            } finally {
              known.running.delete(run)
            }
          }),
        configuration: outermost(known.names),
        files: [...known.closable].flatMap(([directory, names]) => names.map((name) => path.join(directory, name))),
        unread: known.directories.unread(),
      }
    },
  }
}

function unknownPlace({ roots, skip }: LeftoverPlace, { clock }: LeftoverDeps): Known {
  return {
    directories: createKnownDirectories(roots, { skip, clock }),
    isRead: false,
    patterns: new Set(),
    closable: new Map(),
    made: [],
    running: new Set(),
    names: new Map(),
    marks: new Set(),
    homeNames: new Set(),
    gitDirectories: new Set(),
    pointers: new Set(),
    control: new Map(),
    last: Promise.resolve(),
  }
}

/** What is there before a command is no command's doing. */
function remember(known: Known, { home }: LeftoverPlace): void {
  known.control = controlFiles(known.gitDirectories, known.pointers)
  known.homeNames = new Set(homeFiles.filter((name) => markOf(path.join(home, name)) !== null))
  const files = [...known.names].flatMap(([directory, names]) => [...names].map((name) => path.join(directory, name)))
  known.marks = new Set(files.flatMap((file) => markOf(file) ?? []))
}

function inTurn<T>(known: Known, work: () => Promise<T>): Promise<T> {
  const done = known.last.then(work)
  known.last = done.catch(() => {})
  return done
}

/** What a person or another program made meanwhile. Installed packages and git's objects are looked at afterwards only. */
async function lookBefore(known: Known, place: LeftoverPlace, deps: LeftoverDeps): Promise<void> {
  const isNew = place.patterns.some((pattern) => !known.patterns.has(pattern))
  if (isNew) {
    // Names that were not kept have to be read once more.
    for (const pattern of place.patterns) known.patterns.add(pattern)
    known.directories = createKnownDirectories(place.roots, { skip: place.skip, clock: deps.clock })
  }
  const among = known.isRead && !isNew ? (directory: string) => !isLookedAtLater(directory) : undefined
  await known.directories.look((directory, entries) => {
    const names = learn(known, place, directory, entries)
    // While a command runs, what came is not taken for somebody else's.
    if (known.running.size > 0) known.made.push(...names.map((name) => path.join(directory, name)))
  }, among)
  known.isRead = true
}

/** Takes in a directory, and gives the names of configuration in it that were not there. */
function learn(known: Known, place: LeftoverPlace, directory: string, entries: readonly Dirent[]): string[] {
  const isGit = isGitDirectory(entries)
  if (isGit) known.gitDirectories.add(directory)
  else known.gitDirectories.delete(directory)
  if (entries.some((entry) => entry.name === ".git" && !entry.isDirectory())) known.pointers.add(directory)
  else known.pointers.delete(directory)
  const closable = closableIn(known, place, directory, entries)
  if (closable.length > 0) known.closable.set(directory, closable)
  else known.closable.delete(directory)
  const found = isOfOthers(directory) ? [] : configurationIn(place, directory, entries)
  const before = known.names.get(directory)
  if (found.length > 0) known.names.set(directory, new Set(found))
  else known.names.delete(directory)
  return found.filter((name) => before?.has(name) !== true)
}

function configurationIn(place: LeftoverPlace, directory: string, entries: readonly Dirent[]): string[] {
  const names = entries.map(({ name }) => name)
  if (path.basename(directory) === ".vscode") return names
  const isStarted =
    isWithin(place.worktree, directory) && directoriesBetween(place.worktree, place.directory).includes(directory)
  return names.filter((name) => readByPrograms.has(name.toLowerCase()) || (isStarted && startFiles.includes(name)))
}

/** Files that a pattern may close, as tools name them. */
function closableIn(
  known: Known,
  { worktree }: LeftoverPlace,
  directory: string,
  entries: readonly Dirent[],
): string[] {
  if (known.patterns.size === 0) return []
  const isInside = isWithin(worktree, directory)
  const above = isInside ? path.relative(worktree, directory) : directory
  const patterns = [...known.patterns]
  return entries.flatMap((entry) => {
    const name = above === "" ? entry.name : `${above}/${entry.name}`
    const isClosable = patterns.some((pattern) => matchWildcard(pattern, name))
    if (!isClosable || entry.isDirectory() || entry.isSymbolicLink()) return []
    return isRef(path.join(directory, entry.name)) ? [] : [entry.name]
  })
}

/** What lies in a directory of configuration is held by that. */
function outermost(names: Known["names"]): string[] {
  const directories = [...names].filter(([directory]) => path.basename(directory) !== ".vscode")
  return directories.flatMap(([directory, own]) => [...own].map((name) => path.join(directory, name)))
}

/** Installed packages, and what lies in git's own directory: nobody opens these. */
function isOfOthers(directory: string): boolean {
  return /\/(?:node_modules|\.git)(?:\/|$)/.test(directory)
}

/** A person hardly makes repositories there, and there are many of them. */
function isLookedAtLater(directory: string): boolean {
  return /\/node_modules(?:\/|$)|\/objects\/[\da-f]{2}$/.test(directory)
}

async function lookAfter(known: Known, place: LeftoverPlace, { env, clock }: LeftoverDeps): Promise<LeftBehind[]> {
  const made = known.made.splice(0)
  const { unread } = await known.directories.look((directory, entries) => {
    const names = learn(known, place, directory, entries)
    for (const name of names) made.push(path.join(directory, name))
  })
  for (const name of homeFiles) if (!known.homeNames.has(name)) made.push(path.join(place.home, name))
  const allowed = new Set(await place.allowed())
  const isAllowed = (file: string) => allowed.size > 0 && allowed.has(patternOf(file, place))
  // What is new in a directory that is allowed with all that it holds.
  const whole = made.filter(isAllowed)
  const stamp = new Date(clock()).toISOString().replace(/[:.]/g, "-")
  const moved = made.flatMap((file, index): LeftBehind[] => {
    const mark = markOf(file)
    if (mark === null || known.marks.has(mark) || whole.some((allowed) => isWithin(allowed, file))) return []
    known.names.get(path.dirname(file))?.delete(path.basename(file))
    const aside = moveAside(file, path.join(place.aside, `${stamp}-${index + 1}`))
    if (aside === null) return []
    return [
      { kind: "moved-aside", path: shownName(file, place), what: [], aside, ...keepLeft(place, file, { at: aside }) },
    ]
  })
  const { roots } = place
  const files = controlFiles(known.gitDirectories, known.pointers)
  const { control: before, gitDirectories } = known
  const off = await switchOff(files, { before, roots, gitDirectories, isAllowed, env })
  known.control = files
  for (const { file } of off) {
    const old = before.get(file)
    // Judged once more when another command ends: what it put there since is not known.
    if (old === undefined) files.delete(file)
    else files.set(file, old)
  }
  return [
    ...off.map(
      ({ file, what, was }): LeftBehind => ({
        kind: "switched-off",
        path: shownName(file, place),
        what,
        ...keepLeft(place, file, was),
      }),
    ),
    ...moved,
    ...unread.map((file): LeftBehind => ({ kind: "not-looked-at", path: shownName(file, place), what: [] })),
  ]
}

/** What only the same file has while it is unchanged: no program can set the time of its last change. Null for none. */
function markOf(file: string): string | null {
  try {
    const facts = lstatSync(file, { throwIfNoEntry: false })
    return facts === undefined ? null : [facts.dev, facts.ino, facts.ctimeMs].join(" ")
  } catch {
    return null
  }
}
