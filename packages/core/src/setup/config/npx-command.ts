import path from "node:path"

/** A command by which npx fetches a package and runs one of its programs. */
export interface NpxCommand {
  /** As it is written, without `@latest`. */
  spec: string
  /** The program of the package; null for its usual one. */
  program: string | null
  args: string[]
}

/** Null for another command, and for what npx would read otherwise. */
export function npxCommand([file = "", ...words]: readonly string[]): NpxCommand | null {
  if (path.basename(file) !== "npx") return null
  let named: string | null = null
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (["-y", "--yes", "-q", "--quiet", "--"].includes(word)) continue
    const [, given] = /^--package=(.+)$/.exec(word) ?? []
    if (given !== undefined || word === "-p" || word === "--package") {
      if (named !== null) return null
      named = given ?? words[++at] ?? ""
      continue
    }
    if (word.startsWith("-") || word === "") return null
    const args = words.slice(at + 1)
    const spec = (named ?? word).replace(/@latest$/, "")
    return spec === "" ? null : { spec, program: named === null ? null : word, args }
  }
  return null
}
