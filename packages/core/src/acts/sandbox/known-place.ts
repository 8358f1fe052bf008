import { closeSync, constants, type Dirent, lstatSync, openSync, readSync } from "node:fs"
import path from "node:path"
import { directoriesBetween } from "../../ground/file/directories-between.ts"
import { isWithin } from "../../ground/file/is-within.ts"
import { configNames } from "../../ground/rule/config-files.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import { type ControlFile, controlFiles, isGitDirectory } from "./git-control.ts"
import { createKnownDirectories, type KnownDirectories, undecodableKey } from "./known-directories.ts"
import { startFiles } from "./place-mounts.ts"

/** Files that Docket and other programs read in an opened directory. */
const readByPrograms = new Set([...configNames, ".mcp.json", ".envrc", ".vscode", ".idea"])
/** Files in the home directory of commands that shells read at start. */
export const homeFiles = startFiles.filter((name) => name !== ".gitconfig")

export interface LeftoverPlace {
  worktree: string
  directory: string
  /** Directories of the project that commands can change. */
  roots: readonly string[]
  /** Directories inside `roots` that are never checked. */
  skip: readonly string[]
  /** The home directory of commands. */
  home: string
  /** Absolute: missing files that commands may not create. */
  missing: readonly string[]
  /** Directory for files that are moved aside. */
  aside: string
  /** Directory for the records of removed files. */
  left: string
  /** What a person allowed, in the form of `leftPattern`. */
  allowed(): Promise<readonly string[]>
  /** Name patterns of files that may be closed to the command. */
  patterns: readonly string[]
}

/** The known state of a place. */
export interface KnownPlace {
  directories: KnownDirectories
  /** All directories have been read at least once. */
  isRead: boolean
  /** Patterns whose matches are cached in `closable`, by the file's directory. */
  patterns: Set<string>
  closable: Map<string, string[]>
  /** Configuration that appeared while commands ran; judged when a command ends. */
  made: string[]
  /** Commands that run in the place. */
  running: Set<object>
  /** Names of configuration files by directory. */
  names: Map<string, Set<string>>
  /** Configuration files that are links: these cannot be mounted read-only. */
  links: Set<string>
  /** Marks of configuration that existed before commands ran; they survive a move of the directory. */
  fingerprints: Set<string>
  /** Those of `homeFiles` that existed before commands ran. */
  homeNames: Set<string>
  /** Undecodable directories that existed before commands ran. */
  undecodable: Set<string>
  gitDirectories: Set<string>
  /** Directories with a `.git` that is not a git directory. */
  pointers: Set<string>
  /** Files that control git, as they were before commands ran. */
  control: ReturnType<typeof controlFiles>
  /** Files that could not be switched off, with their earlier state; tried again after each command. */
  stillOn: Map<string, ControlFile | undefined>
  /** Configuration that could not be moved aside; tried again after each command. */
  stillThere: Set<string>
  /** Checks run one at a time. */
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
    fingerprints: new Set(),
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

/** Records everything that exists before a command, so that it is not attributed to the command. */
export function remember(known: KnownPlace, { home }: LeftoverPlace): void {
  known.control = controlFiles(known.gitDirectories, known.pointers)
  for (const [file, before] of known.stillOn) {
    if (before === undefined) known.control.delete(file)
    else known.control.set(file, before)
  }
  known.homeNames = new Set(homeFiles.filter((name) => fingerprintOf(path.join(home, name)) !== null))
  known.undecodable = new Set(known.directories.undecodable().map(undecodableKey))
  const files = [...known.names].flatMap(([directory, names]) => [...names].map((name) => path.join(directory, name)))
  known.fingerprints = new Set(files.flatMap((file) => (known.stillThere.has(file) ? [] : (fingerprintOf(file) ?? []))))
}

/** Updates the state of a directory. Returns names of configuration files in it that are new, or are or were links. */
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

/** Names of the files in a directory that a pattern may close. Patterns match paths as tool calls name them. */
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

/** All paths of configuration, except those inside a `.vscode` directory, which is itself one of them. */
export function outermost(names: KnownPlace["names"]): string[] {
  const directories = [...names].filter(([directory]) => path.basename(directory) !== ".vscode")
  return directories.flatMap(([directory, own]) => [...own].map((name) => path.join(directory, name)))
}

/** Installed packages and the contents of git directories: nobody opens a project there. */
function isOfOthers(directory: string): boolean {
  return /\/(?:node_modules|\.git)(?:\/|$)/.test(directory)
}

/** Names of git or configuration files, which make a directory matter. */
export function countsInside(name: string): boolean {
  return name === ".git" || name === "head" || readByPrograms.has(name) || startFiles.includes(name)
}

/** A mark of an unchanged file: programs cannot set its ctime. Null for a missing file. */
export function fingerprintOf(file: string): string | null {
  try {
    const facts = lstatSync(file, { throwIfNoEntry: false })
    return facts === undefined ? null : [facts.dev, facts.ino, facts.ctimeMs].join(" ")
  } catch {
    return null
  }
}

/** The most bytes read of a file's start. */
const maxStart = 100
/** Beginnings of refs and of their logs: `gitrepository-layout(5)`. */
const startOfRef = /^(?:ref: refs\/|[\da-f]{40}(?:[\da-f]{24})?(?:\s|$))/

/** Whether a file in a `.git` directory is a ref or the log of one: branches may have the names of other files. */
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
