import { relative } from "node:path"
import type { ConfigEntry, ConfigProblem } from "./config-report.ts"
import { digestOf } from "./digest.ts"
import type { SeenProject } from "./seen-project.ts"

/** The kinds of files that a project provides besides configuration: texts that reach a model or start programs. */
type ProvidedKind = "command" | "skill" | "instruction-file" | "tool" | "mcp-server" | "plugin" | "hook"

/** The part of a text that comes from one file. */
export interface TextPiece {
  /** The real path of the file. */
  real: string
  text: string
}

/** A file of a project that takes effect once the user trusts it. */
export interface ProvidedFile {
  kind: ProvidedKind
  /** The name that people and models use; for instructions the path in the project. */
  name: string
  /** Absolute. Its real path is inside the project. */
  file: string
  /** The text that was judged. Readers use it and do not read the file again. */
  text: string
  /** For instructions: `text` split by file, imported files included. */
  pieces?: readonly TextPiece[]
  /** Files beside it, such as the scripts of a skill: absolute paths, and the SHA-256 of their contents (hex). */
  beside?: readonly { file: string; sha256: string }[]
  /** Sentences about the programs and files that the text starts or reads, as far as it shows. */
  notes?: readonly string[]
  /** For instructions: the entries of the key `instructions` that name it. */
  namedBy?: readonly string[]
  /** The file applies only because an entry names it, not because of its directory. */
  isNamedOnly?: boolean
}

/** The same file, and whether the user trusts exactly this text. */
export interface JudgedFile extends ProvidedFile {
  trusted: boolean
}

/** A project as those see it who find what it provides. */
export interface ProvidingProject extends SeenProject {
  home: string
  /**
   * The entries of `instructions`, those of the project's configuration too: absolute paths, patterns and addresses.
   */
  named(): Promise<readonly string[]>
}

/** Finds the files of one kind. Runs whenever the configuration is read, so it is fast and starts no program. */
export type FindProvidedFiles = (
  project: ProvidingProject,
) => Promise<{ files: ProvidedFile[]; problems: ConfigProblem[] }>

/** Digest of one file: its kind, name, place, text and the files beside it (SHA-256, hex). */
export function providedDigest({ kind, name, file, text, beside = [] }: ProvidedFile, worktree: string): string {
  const others = beside.map((other) => [relative(worktree, other.file), other.sha256])
  return digestOf(["brought", kind, name, relative(worktree, file), text, others])
}

/** The entry of a file in the list of what a project sets. */
export function providedEntry({
  kind,
  name,
  file,
  text,
  notes = [],
}: ProvidedFile): Omit<ConfigEntry, "known" | "counts"> {
  const note = notes.length === 0 ? null : notes.join(" ")
  return { file, line: 1, column: 1, path: [kind, name], ...shownText(text), kind, note }
}

/** Characters of a value that are shown. */
const shownLength = 200
/** Characters of the rest of a longer value. */
const restLength = 20_000

/** The beginning of a text, and the rest. */
export function shownText(text: string): Pick<ConfigEntry, "value" | "rest"> {
  if (text.length <= shownLength) return { value: text, rest: null }
  const rest = text.slice(shownLength, shownLength + restLength)
  return { value: `${text.slice(0, shownLength)}…`, rest: text.length > shownLength + restLength ? `${rest}…` : rest }
}

/** A script in a template, as `parseTemplate` finds it. */
const script = /!`([^`]+)`/g

/** The scripts that a command's template runs, as sentences for the trust dialog. */
export function templateNotes(template: string): string[] {
  const scripts = [...template.matchAll(script)].map(([, text = ""]) => text)
  return [...new Set(scripts)].map((text) => `Runs \`${text}\` when it is used, as far as the rules let it.`)
}
