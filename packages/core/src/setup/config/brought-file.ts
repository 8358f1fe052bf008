import { relative } from "node:path"
import type { ConfigEntry, ConfigProblem } from "./config-report.ts"
import { digestOf } from "./digest.ts"

/** What a directory brings beside its configuration: texts that reach a model, or that start programs. */
type BroughtKind = "command" | "skill" | "instruction-file"

/** What of a text is one file's. */
export interface TextPiece {
  /** The real path of the file. */
  real: string
  text: string
}

/** A file of a project that does something once the user trusts it. */
export interface BroughtFile {
  kind: BroughtKind
  /** As people and models call it; of instructions the path in the project. */
  name: string
  /** Absolute. It really lies in the project. */
  file: string
  /** Exactly the text that counts: who uses the file uses this and does not read it again. */
  text: string
  /** Of instructions: `text` by the files that it is of, imported ones too. */
  pieces?: readonly TextPiece[]
  /** What comes with it, as the scripts of a skill: absolute paths, and the SHA-256 of what they hold (hex). */
  beside?: readonly { file: string; sha256: string }[]
  /** What it starts or reads, as far as its text tells: sentences. */
  notes?: readonly string[]
  /** Of instructions: the entries of the key `instructions` that name it. */
  namedBy?: readonly string[]
  /** It counts only where an entry names it, for no directory. */
  isNamedOnly?: boolean
}

/** The same file, and whether it counts: the user has looked at exactly this. */
export interface JudgedFile extends BroughtFile {
  trusted: boolean
}

/** Where a project lies; absolute paths. */
export interface BringingProject {
  directory: string
  worktree: string
  home: string
  /** What the key `instructions` names, in the project's configuration too: absolute paths, patterns and addresses. */
  named(): Promise<readonly string[]>
}

/** Finds the files of one kind. It is asked whenever the configuration is read, so it is quick and starts nothing. */
export type BringFiles = (project: BringingProject) => Promise<{ files: BroughtFile[]; problems: ConfigProblem[] }>

/** Stands for what one file brings: its kind, name, place, text and what comes with it (SHA-256, hex). */
export function broughtDigest({ kind, name, file, text, beside = [] }: BroughtFile, worktree: string): string {
  const others = beside.map((other) => [relative(worktree, other.file), other.sha256])
  return digestOf(["brought", kind, name, relative(worktree, file), text, others])
}

/** How a file is listed among what a project sets. */
export function broughtEntry({
  kind,
  name,
  file,
  text,
  notes = [],
}: BroughtFile): Omit<ConfigEntry, "known" | "counts"> {
  const note = notes.length === 0 ? null : notes.join(" ")
  return { file, line: 1, column: 1, path: [kind, name], ...shownText(text), kind, note }
}

/** Characters of a value that are shown. */
const shownLength = 200
/** And of what follows in a longer one, for those who want to read on. */
const restLength = 20_000

/** A text as an entry shows it: its beginning, and what follows. */
export function shownText(text: string): Pick<ConfigEntry, "value" | "rest"> {
  if (text.length <= shownLength) return { value: text, rest: null }
  const rest = text.slice(shownLength, shownLength + restLength)
  return { value: `${text.slice(0, shownLength)}…`, rest: text.length > shownLength + restLength ? `${rest}…` : rest }
}

/** A script in a template, as `parseTemplate` finds it. */
const script = /!`([^`]+)`/g

/** What a command's template runs, for whoever is asked to trust it. */
export function templateNotes(template: string): string[] {
  const scripts = [...template.matchAll(script)].map(([, text = ""]) => text)
  return [...new Set(scripts)].map((text) => `Runs \`${text}\` when it is used, as far as the rules let it.`)
}
