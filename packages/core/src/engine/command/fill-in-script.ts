import { isDeepStrictEqual } from "node:util"
import { analyseScript } from "../../acts/tool/command-analysis.ts"
import { innerCommands } from "../../acts/tool/inner-commands.ts"
import { holdsScript } from "../../acts/tool/quoted-scripts.ts"
import type { ShellCommand } from "../../acts/tool/shell-command.ts"
import type { ScriptPiece } from "./parse-script.ts"

/** What goes to a place: words, and the same as one text. */
export interface Filling {
  words: readonly string[]
  whole: string
}

/** Inside these the shell reads a quoted word as something else: an expression, a comment, a here document. */
const awkward = /\(\(|\[\[|\$\{|<<|\$'|(?:^|[\s;&|(])#/
/** Levels of scripts within scripts that are compared. */
const maxDepth = 4

/**
 * Puts arguments into a script as quoted words, and makes sure that they are nothing else there: the script has the
 * same commands, words and files with them as with any plain word.
 * @throws Error that says why they cannot be put in
 */
export function fillInScript(pieces: readonly ScriptPiece[], fillingOf: (position: number | null) => Filling): string {
  const filled = putIn(pieces, fillingOf)
  if (pieces.every(({ kind }) => kind === "text")) return filled
  const written = pieces.map((piece) => (piece.kind === "text" ? piece.text : "…")).join("")
  if (awkward.test(written)) {
    const words = "use them as plain words, outside of (( )), [[ ]], ${ }, here documents and comments"
    throw new Error(`arguments cannot be put into "${written}": ${words}`)
  }
  const plain = putIn(pieces, (position) => ({ words: fillingOf(position).words.map(() => "x"), whole: "x" }))
  const [shape, plainShape] = [shapeOf(filled), shapeOf(plain)]
  if (shape === null || plainShape === null || !isDeepStrictEqual(shape, plainShape)) {
    throw new Error(`these arguments would change what "${written}" runs`)
  }
  return filled
}

function putIn(pieces: readonly ScriptPiece[], fillingOf: (position: number | null) => Filling): string {
  return pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text
      const { words, whole } = fillingOf(piece.position)
      // Between double quotes: these end, the word follows, and they begin again.
      return piece.double ? `"${quote(whole)}"` : words.map(quote).join(" ")
    })
    .join("")
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/** What a script runs, without its values. Null when that cannot be told. */
function shapeOf(script: string): unknown {
  return analyseScript(script)?.map((command) => shapeOfCommand(command, 0)) ?? null
}

function shapeOfCommand(command: ShellCommand, depth: number): unknown {
  const { words, assignments, writes, reads, evaluates } = command
  const { commands, unknown } = innerCommands(command)
  return {
    words: words.map(({ literal, tilde }) => [literal, tilde]),
    assignments: assignments.length,
    writes: writes.map((target) => target === null),
    reads: reads.length,
    evaluates: evaluates !== undefined,
    script: holdsScript(command),
    unknown,
    inner: depth < maxDepth ? commands.map((inner) => shapeOfCommand(inner, depth + 1)) : commands.length,
  }
}
