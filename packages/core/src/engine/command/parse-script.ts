/** A script of a template in pieces: as it is written, and where arguments go. */
export type ScriptPiece =
  | { kind: "text"; text: string }
  /** `position` is null for all arguments. `double`: it stands between double quotes. */
  | { kind: "place"; position: number | null; double: boolean }

/** A place, a text in single quotes, an escaped character, or the beginning of a substitution. */
const token = /^(?:\$(?:([1-9]\d?)(?!\d)|ARGUMENTS\b)|'[^']*'|\\[\s\S]|\$\()/

/** Finds the places for arguments as the shell would: none stands in single quotes or behind a backslash. */
export function parseScript(script: string): ScriptPiece[] {
  const pieces: ScriptPiece[] = []
  const within: ("plain" | "double")[] = ["plain"]
  const addText = (text: string) => {
    const before = pieces.at(-1)
    if (before?.kind === "text") before.text += text
    else pieces.push({ kind: "text", text })
  }
  for (let at = 0; at < script.length; ) {
    const double = within.at(-1) === "double"
    const [found = script.charAt(at), position] = token.exec(script.slice(at)) ?? []
    // Between double quotes a single one is a character.
    const taken = double && found.startsWith("'") ? "'" : found
    at += taken.length
    if (taken === "$ARGUMENTS" || position !== undefined) {
      pieces.push({ kind: "place", position: position === undefined ? null : Number(position), double })
      continue
    }
    addText(taken)
    if (taken === "$(" || (taken === "(" && !double)) within.push("plain")
    else if (taken === ")" && !double && within.length > 1) within.pop()
    else if (taken === '"' && double) within.pop()
    else if (taken === '"') within.push("double")
  }
  return pieces
}
