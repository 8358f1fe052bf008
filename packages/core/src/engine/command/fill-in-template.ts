import type { CommandPiece } from "../../ground/schema/index.ts"
import { type Filling, fillInScript } from "./fill-in-script.ts"
import type { Template, TemplatePiece } from "./parse-template.ts"
import { splitArguments } from "./split-arguments.ts"

/** UTF-16 units of a filled in template; a prompt has no more bytes. */
const maxLength = 1_048_576

export interface FilledTemplate {
  /** Text, and the commands whose output goes between. Nothing in them is read as a placeholder again. */
  pieces: CommandPiece[]
  /** What `@` names in the template, in its order. */
  mentions: string[]
}

/**
 * Puts arguments into a template: `$1` and so on by words, where the last takes what is left over, and `$ARGUMENTS` as
 * they were typed. A template that takes none gets them at its end. What arguments hold is text, whatever it looks like.
 * @throws Error when they do not fit
 */
export function fillInTemplate({ pieces, positions, last }: Template, typed: string): FilledTemplate {
  const words = splitArguments(typed)
  const fillingOf = (position: number | null): Filling => {
    if (position === null) return { words, whole: typed.trim() }
    const own = position === last ? words.slice(position - 1) : words.slice(position - 1, position)
    return { words: own, whole: own.join(" ") }
  }
  const filled: FilledTemplate = { pieces: [], mentions: [] }
  let length = 0
  const add = (piece: CommandPiece) => {
    length += piece.type === "text" ? piece.text.length : piece.command.length
    if (length > maxLength)
      throw new Error("with these arguments the prompt is longer than 1 MB; put the text into a file")
    const before = filled.pieces.at(-1)
    if (piece.type === "text" && before?.type === "text") before.text += piece.text
    else filled.pieces.push(piece)
  }
  const textOf = (piece: TemplatePiece): string => {
    if (piece.kind === "text") return piece.text
    if (piece.kind === "arguments") return fillingOf(null).whole
    return piece.kind === "argument" ? fillingOf(piece.position).whole : ""
  }
  for (const piece of pieces) {
    if (piece.kind === "run") {
      add({ type: "run", command: fillInScript(piece.script, fillingOf).trim() })
    } else if (piece.kind === "mention") {
      const name = piece.name.map(textOf).join("")
      add({ type: "text", text: `@${name}` })
      if (name !== "") filled.mentions.push(name)
    } else add({ type: "text", text: textOf(piece) })
  }
  if (positions.size === 0 && typed.trim() !== "") add({ type: "text", text: `\n\n${typed.trim()}` })
  return { pieces: trimmed(filled.pieces), mentions: [...new Set(filled.mentions)] }
}

/** Without white space around it all. */
function trimmed(pieces: CommandPiece[]): CommandPiece[] {
  return pieces.flatMap((piece, index): CommandPiece[] => {
    if (piece.type === "run") return [piece]
    const start = index === 0 ? piece.text.trimStart() : piece.text
    const text = index === pieces.length - 1 ? start.trimEnd() : start
    return text === "" ? [] : [{ type: "text", text }]
  })
}

/**
 * The positions that a template needs and the arguments lack. What the hint puts in square brackets may be left out:
 * `<branch> [base]` needs one word.
 */
export function missingArguments({ positions, last }: Template, hint: string | null, typed: string): number[] {
  const given = splitArguments(typed).length
  const hinted = hint?.match(/\[[^\]]*\]|<[^>]*>|\S+/g) ?? []
  const missing = Array.from({ length: last }, (_, index) => index + 1).filter(
    (position) => position > given && positions.has(position) && !hinted[position - 1]?.startsWith("["),
  )
  const wantsSome = positions.has(null) && given === 0 && hinted[0]?.startsWith("<") === true
  return missing.length === 0 && wantsSome ? [1] : missing
}
