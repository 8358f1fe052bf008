import { type Dirent, lstatSync, readdirSync, realpathSync, renameSync } from "node:fs"
import path from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { readBoundedFileSync } from "../../ground/file/read-bounded-file.ts"
import { newPrograms, readSettings, settingsFile } from "./git-settings-text.ts"
import { freeName, inDirectory, isThere, withWriting } from "./held-directory.ts"
import { overwrite } from "./left-records.ts"

/** The most bytes of a settings file; a larger one is switched off as a whole. */
const maxBytes = 64 * 1024
/** How many new settings files are read after a command, each by a git process. Others are switched off as a whole. */
const maxRead = 200
/** How many characters of its name a switched-off file keeps. */
const maxKept = 200
/** Suffix of a switched-off file. */
const offSuffix = ".switched-off"
const settingsNames = ["config", "config.worktree"]
/** Files in which a git directory or worktree names another directory. */
const pointerNames = ["commondir", ".git"]

/** The state of a git file that can start programs or redirect git. */
export interface ControlFile {
  directory: string
  name: string
  /** Changes when the file changes. */
  fingerprint: string
  /** The text of a regular file that is not too large. */
  text: string | null
  /** The directory that a pointer leads to, as the kernel resolves it; null for none. */
  place: string | null
}

/** What was switched off in a file. */
export interface SwitchedOff {
  file: string
  what: string[]
  /** The renamed file; or the original text of a file that was rewritten; null when switching off failed. */
  was: { at: string } | { text: string } | null
}

/** Whether git would treat a directory with these entries as a git directory, or could after one more file. */
export function isGitDirectory(entries: readonly Dirent[]): boolean {
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  const parts = ["config", "config.worktree", "commondir", "objects", "refs", "hooks"]
  return names.has("head") && parts.some((name) => names.has(name))
}

/** All git files that matter: in git directories, and where `.git` files point to. */
export function controlFiles(gitDirectories: Iterable<string>, pointers: Iterable<string>): Map<string, ControlFile> {
  const files: ControlFile[] = []
  const add = (directory: string, name: string) => {
    const found = controlFile(directory, name)
    if (found !== null) files.push(found)
  }
  for (const directory of gitDirectories) {
    for (const name of [...settingsNames, "commondir"]) add(directory, name)
    const hooks = path.join(directory, "hooks")
    if (factsOf(hooks)?.isDirectory()) for (const name of hookNames(hooks)) add(hooks, name)
    else add(directory, "hooks")
  }
  for (const directory of pointers) add(directory, ".git")
  return new Map(files.map((file) => [path.join(file.directory, file.name), file]))
}

interface Judging {
  /** The state before the command. The command created or changed everything that is missing here or differs. */
  before: ReadonlyMap<string, ControlFile>
  /** Places that the command could change. */
  roots: readonly string[]
  gitDirectories: ReadonlySet<string>
  /** Whether a person allowed the file with this content. */
  isAllowed(file: string): boolean
  env: Readonly<Record<string, string | undefined>>
  /** How many new settings files are read. */
  most?: number
}

/** Switches off everything new in these files that may start a program. */
export async function switchOff(files: ReadonlyMap<string, ControlFile>, judging: Judging): Promise<SwitchedOff[]> {
  const { most = maxRead } = judging
  const done: SwitchedOff[] = []
  let read = 0
  for (const [file, control] of files) {
    const before = judging.before.get(file)
    if (before?.fingerprint === control.fingerprint) continue
    if (judging.isAllowed(file) && !goesThroughLink(control)) continue
    const isNew = before === undefined && settingsNames.includes(control.name)
    const off = isNew && ++read > most ? rename(control) : await switchOffOne(control, before?.text ?? null, judging)
    if (off !== null) done.push({ file, ...off })
  }
  return done
}

type Off = Omit<SwitchedOff, "file">

/** @returns null when the file may stay as it is, or is gone */
async function switchOffOne(control: ControlFile, before: string | null, judging: Judging): Promise<Off | null> {
  const { directory, name, text } = control
  if (settingsNames.includes(name)) {
    if (text === null) return rename(control)
    const settings = await readSettings(text, judging.env)
    const known = before === null ? [] : ((await readSettings(before, judging.env)) ?? [])
    const programs = settings === null ? null : newPrograms(settings, known)
    if (settings === null || programs === null) return rename(control)
    if (programs.length === 0) return null
    const off = [...new Set(programs.map(({ key }) => key))]
    const kept = settings.filter((setting) => !programs.includes(setting))
    const isWritten = overwrite(path.join(directory, name), settingsFile(kept, { off, text }))
    return isWritten ? { what: off, was: { text } } : rename(control)
  }
  if (pointerNames.includes(name)) {
    return leadsToKnown(control, judging) ? null : rename(control)
  }
  return path.basename(directory) === "hooks" || name === "hooks" ? rename(control) : null
}

/** Whether a `.git` or `commondir` leads to a git directory that is checked too. */
function leadsToKnown({ place }: ControlFile, { gitDirectories, roots }: Judging): boolean {
  return place !== null && gitDirectories.has(place) && roots.some((root) => isWithin(root, place))
}

/**
 * The directory that a `.git` or `commondir` leads to. Paths are not normalised: behind a link, `..` leads elsewhere.
 */
function placeOf(pointer: Pick<ControlFile, "directory" | "name" | "text">): string | null {
  const named = nameIn(pointer)
  if (named === null) return null
  try {
    return realpathSync.native(path.isAbsolute(named) ? named : `${pointer.directory}/${named}`)
  } catch {
    return null
  }
}

/** The path in a pointer; its own name when it is a link. */
function nameIn({ name, text }: Pick<ControlFile, "name" | "text">): string | null {
  const pattern = name === ".git" ? /^gitdir: (\S(?:.*\S)?)\n?$/ : /^(\S(?:.*\S)?)\n?$/
  return text === null ? name : (pattern.exec(text)?.[1] ?? null)
}

/** With another link on its way the same path leads elsewhere, so an earlier permission does not apply. */
function goesThroughLink(control: ControlFile): boolean {
  const { directory, place } = control
  return place !== null && place !== path.resolve(directory, nameIn(control) ?? "")
}

/** Renames the file in its directory, so that git does not find it; null when it is gone. */
function rename({ directory, name }: ControlFile): Off | null {
  const free = inDirectory(directory, (held) => {
    try {
      const to = freeName(held, `${name.slice(0, maxKept)}${offSuffix}`)
      withWriting(held, () => renameSync(`${held}/${name}`, `${held}/${to}`))
      return to
    } catch {
      return null
    }
  })
  if (free !== null) return { what: [name], was: { at: path.join(directory, free) } }
  return isThere(path.join(directory, name)) ? { what: [name], was: null } : null
}

function hookNames(hooks: string): string[] {
  try {
    return readdirSync(hooks).filter((name) => !name.endsWith(".sample") && !/\.switched-off(?:-\d+)?$/.test(name))
  } catch {
    return []
  }
}

function controlFile(directory: string, name: string): ControlFile | null {
  const file = path.join(directory, name)
  const facts = factsOf(file)
  if (facts === null || (name === ".git" && facts.isDirectory())) return null
  const content = facts.isFile() && !directory.endsWith("/hooks") ? contentOf(file) : null
  const text = content?.toString() ?? null
  const place = pointerNames.includes(name) ? placeOf({ directory, name, text }) : null
  const fingerprint = content?.toString("latin1") ?? [facts.ino, facts.mode, facts.size, facts.ctimeMs].join(" ")
  // The same text leads elsewhere when a link on its way changes.
  return { directory, name, fingerprint: `${fingerprint}\n${place}`, text, place }
}

function contentOf(file: string): Buffer | null {
  try {
    return readBoundedFileSync(file, maxBytes)
  } catch {
    return null
  }
}

function factsOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}
