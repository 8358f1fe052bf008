import { basename, dirname, extname, join, relative, resolve, sep } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import type { DirectoryInstructions, InstructionText } from "../../ground/message/instruction-block.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { defaultRules, evaluatePermission } from "../../ground/rule/index.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import type { TextPiece } from "../config/provided-file.ts"
import { type ImportPath, importPaths } from "./import-paths.ts"

/**
 * Most bytes of one file, which is cut with a note; most characters of all files, and of one with its imports; most
 * imports of a file; most levels of imports.
 */
export const instructionLimits = { file: 32_768, whole: 131_072, imports: 50, depth: 5 }

/** Where instructions may be read. */
export interface InstructionPlace {
  /** Real path of the directory that must contain every file: the project's top. Null for the user's own files. */
  top: string | null
  home: string
  /** Real paths that must not contain any of the files. */
  others?: readonly string[]
}

interface ReadInstruction {
  /** The text for the model: the file, followed by its imports. */
  text: string
  /** The same text by file. */
  pieces: TextPiece[]
  /** The imported files, as shown to users. */
  imports: string[]
}

/** Receives problems that users should know about. */
export type ReportProblem = (problem: ConfigProblem) => void

/**
 * Reads an instruction file, and its imports if it may have any (CLAUDE.md). Null when it does not exist, is empty or
 * binary, or is left out, which is passed to `report`. Never throws.
 */
export async function readInstruction(
  file: string,
  place: InstructionPlace,
  report: ReportProblem,
): Promise<ReadInstruction | null> {
  const own = await readOne(file, place, (message) => report({ file, line: null, column: null, message }))
  if (own === null) return null
  const reading: Reading = { place, report, seen: new Set([own.real]), imports: [], left: instructionLimits.whole }
  const imported = basename(file) === "CLAUDE.md" ? await readImports(reading, { file, text: own.text }, 1) : []
  const pieces = [own, ...imported]
  return { text: textOfPieces(pieces), pieces, imports: reading.imports }
}

/** The text of these files for the model. */
export function textOfPieces(pieces: readonly TextPiece[]): string {
  return pieces.map(({ text }) => text).join("\n\n")
}

interface Reading {
  place: InstructionPlace
  report: ReportProblem
  /** Real paths, so that each file is read once and import cycles end. */
  seen: Set<string>
  imports: string[]
  /** Characters that are left. */
  left: number
}

/** The imports of a file, each followed by its own imports. */
async function readImports(
  reading: Reading,
  { file, text }: { file: string; text: string },
  depth: number,
): Promise<TextPiece[]> {
  const pieces: TextPiece[] = []
  for (const named of importPaths(text)) {
    const path = importedFile(named.path, file, reading.place.home)
    const problem = (message: string) => {
      if (named.alone) reading.report({ file, line: named.line, column: 1, message: `"@${named.path}" ${message}` })
    }
    const limit = limitReached(reading, depth)
    const found = limit === null ? await readOne(path, reading.place, problem, named) : null
    if (limit !== null) problem(limit)
    if (found === null || reading.seen.has(found.real)) continue
    reading.seen.add(found.real)
    const name = shownPath(path, reading.place.top)
    reading.imports.push(name)
    reading.left -= found.text.length
    pieces.push({ real: found.real, text: `<import file=${JSON.stringify(name)}>\n${found.text}\n</import>` })
    if (extname(path) === ".md")
      pieces.push(...(await readImports(reading, { file: path, text: found.text }, depth + 1)))
  }
  return pieces
}

function limitReached({ imports, left }: Reading, depth: number): string | null {
  const { depth: deepest, imports: most } = instructionLimits
  if (depth > deepest) return `is not imported: files are imported ${deepest} levels deep at most`
  if (imports.length >= most) return `is not imported: a file imports ${most} others at most`
  return left <= 0 ? "is not imported: what comes before it fills the room for instructions" : null
}

function importedFile(path: string, from: string, home: string): string {
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(dirname(from), path)
}

/** Reads one file. A path in running text that leads to no file is not reported. */
async function readOne(
  path: string,
  { top, others = [] }: InstructionPlace,
  leftOut: (why: string) => void,
  named: Pick<ImportPath, "alone"> | null = null,
): Promise<TextPiece | null> {
  try {
    if (top !== null && named !== null && !isWithin(top, path)) {
      throw new UnfitFileError("lies outside the project; import it in your own CLAUDE.md instead")
    }
    const { real, bytes, size } = await readWithin(top, path, instructionLimits.file)
    if (others.some((other) => isWithin(other, real))) throw new UnfitFileError("is not of this workspace")
    if (top !== null && mayHoldSecrets(relative(top, real))) {
      leftOut("leads to a file that may hold secrets, so it is left out of the instructions")
      return null
    }
    const text = bytes
      .toString("utf8")
      .replace(/^\uFEFF/, "")
      .trim()
    if (text === "" || text.includes("\0")) return null
    const cut = `\n\n[Cut after ${instructionLimits.file} of ${size} bytes. Read the file for the rest.]`
    return { text: quoteFrames(text) + (size > instructionLimits.file ? cut : ""), real }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    const isMissing = code === "ENOENT" || code === "ENOTDIR"
    if (isMissing && named === null) return null
    leftOut(`is left out of the instructions: it ${unreadableReason(error)}`)
    return null
  }
}

function mayHoldSecrets(name: string): boolean {
  return evaluatePermission("read", name, defaultRules()).action !== "allow"
}

/** The displayed path: relative to the project's top directory if inside it. */
export function shownPath(path: string, top: string | null): string {
  return top !== null && isWithin(top, path) ? relative(top, path).split(sep).join("/") : path
}

/** Instructions as found on disk. */
export interface InstructionFile extends InstructionText {
  /** The content by file; absent when it comes from no file. */
  pieces?: readonly TextPiece[] | undefined
}

/** Instructions of a directory as found on disk. */
export type NestedInstructions = InstructionFile & DirectoryInstructions
