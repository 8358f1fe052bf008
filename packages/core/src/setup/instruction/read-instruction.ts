import { basename, dirname, extname, join, relative, resolve, sep } from "node:path"
import { isWithin } from "../../ground/file/is-within.ts"
import { UnfitFileError, unreadableReason } from "../../ground/file/read-bounded-file.ts"
import { readWithin } from "../../ground/file/read-within.ts"
import type { DirectoryInstructions, InstructionText } from "../../ground/message/instruction-block.ts"
import { quoteFrames } from "../../ground/message/quote-frames.ts"
import { defaultRules, evaluatePermission } from "../../ground/rule/index.ts"
import type { TextPiece } from "../config/brought-file.ts"
import type { ConfigProblem } from "../config/config-report.ts"
import { type ImportPath, importPaths } from "./import-paths.ts"

/** Bytes read of one file; characters of one with all that it imports. What is over is cut, and said so. */
export const instructionLimits = { file: 32_768, whole: 131_072, imports: 50, depth: 5 }

/** Where instructions are read. */
export interface InstructionPlace {
  /** Real path in which every file must really lie: the project's top. Null for the user's own files. */
  top: string | null
  home: string
  /** Real paths in which none of them may lie. */
  others?: readonly string[]
}

interface ReadInstruction {
  /** What a model reads: the file, and after it what it imports. */
  text: string
  /** The same by the files that it is of. */
  pieces: TextPiece[]
  /** The files that it imports, as they are shown. */
  imports: string[]
}

/** What reading found that people should know of. */
export type ReportProblem = (problem: ConfigProblem) => void

/**
 * An instruction file with what it imports, where it may import (CLAUDE.md). Null when it is not there, empty, binary,
 * or left out, of which `report` hears. Never throws.
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

/** The text that a model reads of these files. */
export function textOfPieces(pieces: readonly TextPiece[]): string {
  return pieces.map(({ text }) => text).join("\n\n")
}

interface Reading {
  place: InstructionPlace
  report: ReportProblem
  /** Real paths: a file comes once, so that no circle has an end to wait for. */
  seen: Set<string>
  imports: string[]
  /** Characters that there is room for. */
  left: number
}

/** What a file imports, each followed by what it imports itself. */
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

/** One file by itself. Of a path that is only mentioned and leads to no file, nobody hears. */
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

/** How a path is shown: relative to the project's top when it lies in it. */
export function shownPath(path: string, top: string | null): string {
  return top !== null && isWithin(top, path) ? relative(top, path).split(sep).join("/") : path
}

/** Instructions as they are found. */
export interface InstructionFile extends InstructionText {
  /** The content by the files that it is of; none where it is of no file. */
  pieces?: readonly TextPiece[] | undefined
}

/** Instructions of a directory as they are found. */
export type NestedInstructions = InstructionFile & DirectoryInstructions
