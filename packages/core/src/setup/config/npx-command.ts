import path from "node:path"

/** A command by which npx, or a program like it, fetches a package of npm and runs one of its programs. */
export interface NpxCommand {
  /** As it is written, without `@latest`. */
  spec: string
  /** The program of the package; null for its usual one. */
  program: string | null
  args: string[]
}

/** By program: the words after it with which it fetches a package from npm and runs it. */
const ofNpm: Readonly<Record<string, readonly string[]>> = {
  npx: [""],
  pnpx: [""],
  bunx: [""],
  npm: ["exec", "x"],
  pnpm: ["dlx"],
  yarn: ["dlx"],
  bun: ["x"],
}
/** The same for packages of Python. */
const ofPython: typeof ofNpm = { uvx: [""], uv: ["tool run"], pipx: ["run"] }

const quiet = ["-y", "--yes", "-q", "--quiet", "--"]

/** Null for another command, and for what the program would read otherwise. */
export function npxCommand(command: readonly string[]): NpxCommand | null {
  const words = wordsAfter(ofNpm, unwrapped(command))
  if (words === null) return null
  let named: string | null = null
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    if (quiet.includes(word)) continue
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

/**
 * Whether a command fetches a package and runs it, also where `npxCommand` cannot tell which. It sees what is written, not what
 * a script does.
 */
export function fetchesPackage(command: readonly string[]): boolean {
  const plain = unwrapped(command)
  const fetchers = { ...ofNpm, ...ofPython }
  // Options of the program itself may come first.
  const [file = "", ...words] = plain
  const isFetcher = wordsAfter(fetchers, [file, ...words.filter((word) => !word.startsWith("-"))]) !== null
  return isFetcher || (isWrapper(file) && inText(fetchers).test(words.join(" ")))
}

function wordsAfter(fetchers: typeof ofNpm, [file = "", ...words]: readonly string[]): string[] | null {
  for (const start of fetchers[nameOf(file)] ?? []) {
    const needed = start === "" ? [] : start.split(" ")
    if (needed.every((word, at) => words[at] === word)) return words.slice(needed.length)
  }
  return null
}

function inText(fetchers: typeof ofNpm): RegExp {
  const all = Object.entries(fetchers).flatMap(([name, starts]) => starts.map((start) => `${name} ${start}`.trim()))
  return new RegExp(String.raw`\b(?:${all.join("|").replaceAll(" ", String.raw`\s+(?:-\S+\s+)*`)})\b`)
}

const shells = new Set(["sh", "bash", "dash", "zsh"])

function isWrapper(file: string): boolean {
  return shells.has(nameOf(file)) || nameOf(file) === "env"
}

/** The command that a shell runs for a text of plain words, or `env` after its variables. */
function unwrapped([file = "", ...words]: readonly string[]): readonly string[] {
  if (nameOf(file) === "env") {
    const start = words.findIndex((word) => !/^\w+=/.test(word))
    return start === -1 || words[start]?.startsWith("-") ? [file, ...words] : unwrapped(words.slice(start))
  }
  const [option = "", text = "", ...more] = words
  const isPlain = /^-[a-z]*c$/.test(option) && more.length === 0 && /^[\w@./:=+, -]+$/.test(text)
  if (!shells.has(nameOf(file)) || !isPlain) return [file, ...words]
  const inner = text.trim().split(/ +/)
  return unwrapped(inner[0] === "exec" ? inner.slice(1) : inner)
}

function nameOf(file: string): string {
  return path.basename(file).replace(/\.(?:cmd|exe)$/i, "")
}
