import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { matchWildcard } from "../../ground/rule/wildcard.ts"
import type { LeftBehind } from "../../ground/schema/tool-metadata.ts"
import { controlFiles, type SwitchedOff, switchOff } from "./git-control.ts"
import { isThere } from "./held-directory.ts"
import {
  createKnownDirectories,
  giveReadableName,
  type KnownDirectories,
  maxDirectories,
  mayHold,
  undecodableKey,
} from "./known-directories.ts"
import {
  countsInside,
  fingerprintOf,
  homeFiles,
  type KnownPlace,
  type LeftoverPlace,
  learn,
  outermost,
  remember,
  unknownPlace,
} from "./known-place.ts"
import { keepRecord, leftID, leftPattern, leftTextID, moveAside } from "./left-records.ts"

/** How many places without running commands stay cached. */
const maxIdle = 8
/** Levels of nested undecodable directories that are renamed. */
const maxRounds = 20
const tooMany = `everything new in it, as there are more than ${maxDirectories} directories`

/** What may have to be closed in a place. */
export interface Closable {
  /** Files that match one of the patterns. */
  files: string[]
  /** Directories that could not be read. */
  unread: string[]
  /** Undecodable directories in which one of the patterns may match a file. */
  nameless: string[]
}

export interface Look extends Closable {
  /**
   * Checks the place again once no process of the command runs: switches off what git would start, moves configuration
   * aside and reports both.
   */
  look(): Promise<LeftBehind[]>
  /** Existing configuration that the command may not change. */
  configuration: string[]
}

interface Leftovers {
  /** What may have to be closed to a program that changes nothing: it leaves nothing behind. */
  closable(place: LeftoverPlace): Promise<Closable>
  /** Checks a place before a command runs there. */
  before(place: LeftoverPlace): Promise<Look>
}

interface LeftoverDeps {
  env: Readonly<Record<string, string | undefined>>
  clock(): number
}

export function createLeftovers(deps: LeftoverDeps): Leftovers {
  const places = new Map<string, KnownPlace>()
  const knownOf = (place: LeftoverPlace): KnownPlace => {
    const key = JSON.stringify([place.worktree, place.roots, place.skip, place.home])
    const known = places.get(key) ?? unknownPlace(place, deps.clock)
    // Moves the entry to the end: the least recently used place is dropped first.
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
        // While another command runs, changes may be its work and are not recorded as known.
        if (known.running.size === 0) remember(known, place)
        known.running.add(run)
      })
      return {
        look: () =>
          inTurn(known, async () => {
            try {
              return await lookAfter(known, place, deps)
            } catch (error) {
              // A failed check must not lose the command's result.
              return [{ kind: "not-looked-at", path: ".", what: [`the look failed: ${String(error)}`] }]
            } finally {
              known.running.delete(run)
            }
          }),
        configuration: outermost(known.names),
        ...closableOf(known, place),
      }
    },
    async closable(place) {
      if (place.patterns.length === 0) return { files: [], unread: [], nameless: [] }
      const known = knownOf(place)
      await inTurn(known, () => lookBefore(known, place, deps))
      return closableOf(known, place)
    },
  }
}

function closableOf({ closable, directories }: KnownPlace, { patterns }: LeftoverPlace): Closable {
  const isAny = patterns.length > 0
  return {
    files: [...closable].flatMap(([directory, names]) => names.map((name) => path.join(directory, name))),
    unread: isAny ? directories.unread() : [],
    nameless: isAny ? namelessWith(directories, patterns) : [],
  }
}

/** Paths of undecodable directories in which a pattern may match a file, as far as they can be decoded. */
function namelessWith(directories: KnownDirectories, patterns: readonly string[]): string[] {
  const lowerCase = patterns.map((pattern) => pattern.toLowerCase())
  const isClosable = (name: string) => lowerCase.some((pattern) => matchWildcard(pattern, `/${name}`))
  const holding = directories.undecodable().filter((directory) => mayHold(directory, isClosable))
  return holding.map(({ parent, name }) => path.join(parent, `${name}`))
}

function inTurn<T>(known: KnownPlace, work: () => Promise<T>): Promise<T> {
  const done = known.last.then(work)
  known.last = done.catch(() => {})
  return done
}

/** Finds changes by people and other programs. Installed packages and git objects are checked only after a command. */
async function lookBefore(known: KnownPlace, place: LeftoverPlace, deps: LeftoverDeps): Promise<void> {
  const isNew = place.patterns.some((pattern) => !known.patterns.has(pattern))
  if (isNew) {
    // New patterns: all names must be read once more.
    for (const pattern of place.patterns) known.patterns.add(pattern)
    known.directories = createKnownDirectories(place.roots, { skip: place.skip, clock: deps.clock })
  }
  const among = known.isRead && !isNew ? (directory: string) => !isLookedAtLater(directory) : undefined
  await known.directories.look((directory, entries) => {
    const names = learn(known, place, directory, entries)
    // While another command runs, new configuration may be its work and is judged later.
    if (known.running.size > 0) known.made.push(...names.map((name) => path.join(directory, name)))
  }, among)
  known.isRead = true
}

/** People rarely create repositories there, and there are many such directories. */
function isLookedAtLater(directory: string): boolean {
  return /\/node_modules(?:\/|$)|\/objects\/[\da-f]{2}$/.test(directory)
}

async function lookAfter(known: KnownPlace, place: LeftoverPlace, deps: LeftoverDeps): Promise<LeftBehind[]> {
  const made = [...known.stillThere, ...place.missing, ...known.made.splice(0)]
  const { unread, full, renamed } = await readAfter(known, (directory, entries) => {
    const names = learn(known, place, directory, entries)
    for (const name of names) made.push(path.join(directory, name))
  })
  for (const name of homeFiles) if (!known.homeNames.has(name)) made.push(path.join(place.home, name))
  const allowed = new Set(await place.allowed())
  const isAllowed = (file: string) => allowed.size > 0 && allowed.has(patternOf(file, place))
  const off = await switchAllOff(known, place, { env: deps.env, isAllowed })
  // A directory is allowed with everything in it.
  const kept = made.filter(isAllowed)
  const unwanted = [...new Set(made)].filter((file) => {
    const fingerprint = fingerprintOf(file)
    const isNew = fingerprint !== null && !known.fingerprints.has(fingerprint)
    return isNew && !kept.some((allowedPath) => isWithin(allowedPath, file))
  })
  return [
    ...off.map(({ file, what, was }): LeftBehind => {
      const path = shownName(file, place)
      return was === null
        ? { kind: "still-there", path, what }
        : { kind: "switched-off", path, what, ...keepLeft(place, file, was) }
    }),
    ...renamed.map(
      ({ from, to }): LeftBehind => ({ kind: "switched-off", path: shownName(from, place), what: [path.basename(to)] }),
    ),
    ...moveAllAside(known, place, { files: unwanted, now: deps.clock() }),
    ...unread.map((file): LeftBehind => ({ kind: "not-looked-at", path: shownName(file, place), what: [] })),
    ...full.map((file): LeftBehind => ({ kind: "not-looked-at", path: shownName(file, place), what: [tooMany] })),
  ]
}

async function switchAllOff(
  known: KnownPlace,
  { roots }: LeftoverPlace,
  judging: Pick<Parameters<typeof switchOff>[1], "env" | "isAllowed">,
): Promise<SwitchedOff[]> {
  const files = controlFiles(known.gitDirectories, known.pointers)
  const { control: before, gitDirectories } = known
  const off = await switchOff(files, { before, roots, gitDirectories, ...judging })
  known.control = files
  known.stillOn.clear()
  for (const { file, was } of off) {
    const old = before.get(file)
    if (was === null) known.stillOn.set(file, old)
    // Judged again when another command ends, because what that command wrote is unknown.
    if (old === undefined) files.delete(file)
    else files.set(file, old)
  }
  return off
}

function moveAllAside(
  known: KnownPlace,
  place: LeftoverPlace,
  { files, now }: { files: readonly string[]; now: number },
): LeftBehind[] {
  const stamp = new Date(now).toISOString().replace(/[:.]/g, "-")
  known.stillThere.clear()
  return files.flatMap((file, index): LeftBehind[] => {
    known.names.get(path.dirname(file))?.delete(path.basename(file))
    const about = { path: shownName(file, place), what: [] }
    const aside = asideOrNull(file, path.join(place.aside, `${stamp}-${index + 1}`))
    if (aside !== null) return [{ kind: "moved-aside", ...about, aside, ...keepLeft(place, file, { at: aside }) }]
    if (!isThere(file)) return []
    known.stillThere.add(file)
    return [{ kind: "still-there", ...about }]
  })
}

/** A file that cannot be moved must not stop the others. */
function asideOrNull(file: string, to: string): string | null {
  try {
    return moveAside(file, to)
  } catch {
    return null
  }
}

type OnRead = Parameters<KnownDirectories["look"]>[0]

/** Reads changed directories. New undecodable directories that may matter are renamed first. */
async function readAfter(
  { directories, undecodable }: KnownPlace,
  onRead: OnRead,
): Promise<{ unread: string[]; full: string[]; renamed: { from: string; to: string }[] }> {
  const renamed: { from: string; to: string }[] = []
  for (let round = 1; ; round++) {
    const { unread, full } = await directories.look(onRead)
    const hidden = directories.undecodable().filter((directory) => mayHold(directory, countsInside))
    const fresh = round > maxRounds ? [] : hidden.filter((directory) => !undecodable.has(undecodableKey(directory)))
    const done = fresh.flatMap((directory) => {
      const name = giveReadableName(directory)
      const { parent } = directory
      return name === null ? [] : [{ from: path.join(parent, `${directory.name}`), to: path.join(parent, name) }]
    })
    renamed.push(...done)
    if (done.length > 0) continue
    return { unread: [...unread, ...hidden.map(({ parent, name }) => path.join(parent, `${name}`))], full, renamed }
  }
}

interface LeftPlace {
  worktree: string
  /** The home directory of commands. */
  home: string
  /** Directory for the records. */
  left: string
}

/** A file's name as shown to users: relative to the worktree, below `~`, or absolute. */
function shownName(file: string, { worktree, home }: Pick<LeftPlace, "worktree" | "home">): string {
  if (isWithin(worktree, file)) return path.relative(worktree, file) || "."
  return isWithin(home, file) ? path.join("~", path.relative(home, file)) : file
}

/** The pattern of a grant for the file in its current state. */
function patternOf(file: string, place: LeftPlace): string {
  const shown = shownName(file, place)
  return leftPattern({ shown, id: leftID(shown, file) ?? "" })
}

/** Records what is needed to restore a file once a person allows it. */
function keepLeft(place: LeftPlace, file: string, was: NonNullable<SwitchedOff["was"]>): Pick<LeftBehind, "id"> {
  const shown = shownName(file, place)
  const id = "at" in was ? leftID(shown, was.at) : leftTextID(shown, was.text)
  const instead = leftID(shown, file)
  if (id === null || ("text" in was && instead === null)) return {}
  try {
    keepRecord(place.left, { id, shown, file, kept: "at" in was ? was : { ...was, instead: instead ?? "" } })
  } catch {
    // For example, the disk is full: the file can then only be restored by hand.
    return {}
  }
  return { id }
}
