import { closeSync, constants, type Dirent, lstatSync, openSync, readSync } from "node:fs"
import path from "node:path"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { configNames } from "../../ground/rule/config-files.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import { type ControlFile, controlFiles, isGitDirectory } from "./git-control.ts"
import { createKnownDirectories, type KnownDirectories, undecodableKey } from "./known-directories.ts"
import { startFiles } from "./place-mounts.ts"

/** What Docket and other programs read in a directory that somebody opens. */
const readByPrograms = new Set([...configNames, ".mcp.json", ".envrc", ".vscode", ".idea"])
export const homeFiles = startFiles.filter((name) => name !== ".gitconfig")

export interface LeftoverPlace {
  worktree: string
  directory: string
  /** What commands can change of the project. */
  roots: readonly string[]
  /** In these, and never looked at. */
  skip: readonly string[]
  /** The home of commands. */
  home: string
  /** Absolute: not there, and not to be made. */
  missing: readonly string[]
  /** For what is moved aside. */
  aside: string
  /** For what is known of all that could not be kept. */
  left: string
  /** What a person allowed, as `leftPattern` says it. */
  allowed(): Promise<readonly string[]>
  /** Names of files that may be closed to the command. */
  patterns: readonly string[]
}

/** What is known of a place. */
export interface KnownPlace {
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
  /** Of these, links: nothing can be shown read-only in the place of one. */
  links: Set<string>
  /** Of configuration that was there before commands ran, wherever its directory is moved. */
  marks: Set<string>
  homeNames: Set<string>
  /** Directories without a text that were there before commands ran. */
  undecodable: Set<string>
  gitDirectories: Set<string>
  /** Directories with a `.git` that is none itself. */
  pointers: Set<string>
  control: ReturnType<typeof controlFiles>
  /** What could not be switched off, with what stood there before; tried again after each command. */
  stillOn: Map<string, ControlFile | undefined>
  /** Configuration that could not be moved aside; likewise. */
  stillThere: Set<string>
  /** One look after another. */
  last: Promise<unknown>
}

export function unknownPlace({ roots, skip }: LeftoverPlace, clock: () => number): KnownPlace {
  return {
    directories: createKnownDirectories(roots, { skip, clock }),
    isRead: false,
    patterns: new Set(),
    closable: new Map(),
    made: [],
    running: new Set(),
    names: new Map(),
    links: new Set(),
    marks: new Set(),
    homeNames: new Set(),
    undecodable: new Set(),
    gitDirectories: new Set(),
    pointers: new Set(),
    control: new Map(),
    stillOn: new Map(),
    stillThere: new Set(),
    last: Promise.resolve(),
  }
}

/** What is there before a command is no command's doing. */
export function remember(known: KnownPlace, { home }: LeftoverPlace): void {
  known.control = controlFiles(known.gitDirectories, known.pointers)
  for (const [file, before] of known.stillOn) {
    if (before === undefined) known.control.delete(file)
    else known.control.set(file, before)
  }
  known.homeNames = new Set(homeFiles.filter((name) => markOf(path.join(home, name)) !== null))
  known.undecodable = new Set(known.directories.undecodable().map(undecodableKey))
  const files = [...known.names].flatMap(([directory, names]) => [...names].map((name) => path.join(directory, name)))
  known.marks = new Set(files.flatMap((file) => (known.stillThere.has(file) ? [] : (markOf(file) ?? []))))
}

/** Takes in a directory, and gives the names of configuration in it that were not there, and those that are or were links. */
export function learn(
  known: KnownPlace,
  place: LeftoverPlace,
  directory: string,
  entries: readonly Dirent[],
): string[] {
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
  const linked = new Set(entries.flatMap((entry) => (entry.isSymbolicLink() ? [entry.name] : [])))
  return found.filter((name) => {
    const file = path.join(directory, name)
    const wasLink = known.links.delete(file)
    if (linked.has(name)) known.links.add(file)
    return before?.has(name) !== true || wasLink || linked.has(name)
  })
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
  known: KnownPlace,
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
export function outermost(names: KnownPlace["names"]): string[] {
  const directories = [...names].filter(([directory]) => path.basename(directory) !== ".vscode")
  return directories.flatMap(([directory, own]) => [...own].map((name) => path.join(directory, name)))
}

/** Installed packages, and what lies in git's own directory: nobody opens these. */
function isOfOthers(directory: string): boolean {
  return /\/(?:node_modules|\.git)(?:\/|$)/.test(directory)
}

/** Names that make a directory one of git's, or one with configuration. */
export function countsInside(name: string): boolean {
  return name === ".git" || name === "head" || readByPrograms.has(name) || startFiles.includes(name)
}

/** What only the same file has while it is unchanged: no program can set the time of its last change. Null for none. */
export function markOf(file: string): string | null {
  try {
    const facts = lstatSync(file, { throwIfNoEntry: false })
    return facts === undefined ? null : [facts.dev, facts.ino, facts.ctimeMs].join(" ")
  } catch {
    return null
  }
}

/** Bytes. */
const maxStart = 100
/** Of refs, and of what git notes of their changes: `gitrepository-layout(5)`. */
const startOfRef = /^(?:ref: refs\/|[\da-f]{40}(?:[\da-f]{24})?(?:\s|$))/

/** Whether a file in a directory called `.git` is a branch, say, or the log of one: these may be called as other files are. */
function isRef(file: string): boolean {
  if (!/\/\.git\/(?:.+\/)?(?:refs|logs)\//.test(file)) return false
  try {
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const start = Buffer.alloc(maxStart)
      return startOfRef.test(start.toString("latin1", 0, readSync(descriptor, start, 0, maxStart, 0)))
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return false
  }
}
