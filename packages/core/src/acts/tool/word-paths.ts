import { glob, stat } from "node:fs/promises"
import path from "node:path"
import { fileURLToPath } from "node:url"
import { configNames } from "../../ground/rule/config-files.ts"
import { type ShellWord, wordSet } from "./shell-command.ts"

/** Most directory levels with wildcards that are followed; a longer pattern may match anything. */
const MAX_WILD_LEVELS = 4
/** Most words that brace expansion may produce; more would block the service. */
const MAX_WORDS = 1_000
/** Programs that take text or an expression, where `:` or `=` is not followed by a path. */
const takesText = wordSet("awk echo egrep fgrep gawk git grep jq perl printf rg sed tr")

/**
 * The paths that an argument may hold: the argument itself, what follows an option, `=`, `@`, `:` or `,`, the target of
 * a file URL, and the fixed part before a wildcard.
 */
export function pathsOf(word: ShellWord, home: string, command = ""): string[] {
  const value = expandHome(word, home) ?? fixedPart(word.value)
  if (value.includes("://")) return fileOfAddress(value)
  const option = /^--?[\w-]+=(.+)$|^(?:if|of)=(.+)$/.exec(value)
  const whole = option?.[1] ?? option?.[2] ?? value
  const found = [whole, /^-[A-Za-z](.+)$/.exec(value)?.[1], /(?:^|=)@(.+)$/.exec(value)?.[1]]
  if (!takesText.has(command)) found.push(...pieces(value))
  const candidates = found.filter((candidate) => candidate !== undefined)
  return [...new Set(candidates)].filter(mayBePath).map((candidate) => expandTilde(candidate, home))
}

/** Paths have at most 4,096 bytes on Linux. */
function mayBePath(candidate: string): boolean {
  return candidate !== "" && !candidate.startsWith("-") && !candidate.includes("\n") && candidate.length <= 4_096
}

/** The parts of `-v /etc:/x` or `source=/etc,target=/x` that look like paths. */
function pieces(value: string): string[] {
  if (/\s/.test(value)) return []
  return value.split(/[:=,@]/).filter((piece) => /^(?:\/|~\/|\.\.?\/)/.test(piece))
}

function fileOfAddress(value: string): string[] {
  const address = /file:\/\/(?:localhost)?\/.*/i.exec(value)?.[0]
  if (address === undefined) return []
  try {
    return [fileURLToPath(address.replace(/^file:\/\/localhost/i, "file://"))]
  } catch {
    return []
  }
}

/**
 * The files that a wildcard argument matches from `cwd`; null when it may match anything. Yields nothing for a word
 * without wildcards.
 */
export async function* matchesOf(word: ShellWord, cwd: string, home: string): AsyncGenerator<string | null> {
  const value = word.tilde ? expandTilde(word.value, home) : word.value
  const pattern = fromHere(value).replaceAll(/\*{2,}/g, "*")
  if (word.literal || !/[*?[{]/.test(pattern) || /[$`<\n]/.test(pattern)) return
  const wild = pattern.split("/").filter((level) => /[*?[]/.test(level))
  if (wild.length > MAX_WILD_LEVELS || braceCount(pattern) > MAX_WORDS) yield null
  else yield* glob(pattern, { cwd })
}

/** The paths that an argument may name; wildcards are replaced by the configuration that exists. */
export async function changedBy(word: ShellWord, cwd: string, home: string): Promise<string[]> {
  const value = expandHome(word, home) ?? word.value
  if (!/[*?[{]/.test(value)) return pathsOf(word, home)
  const directory = value.includes("/") ? value.slice(0, value.lastIndexOf("/") + 1) : ""
  const last = value.slice(directory.length)
  const isAny = braceCount(last) > MAX_WORDS
  const matching = configNames.filter((name) => isAny || path.matchesGlob(name, last)).map((name) => directory + name)
  const there = await Promise.all(matching.map((file) => stat(path.resolve(cwd, file)).catch(() => null)))
  return [...pathsOf(word, home), ...matching.filter((_, index) => there[index])]
}

/** The directory of `/etc/*.conf`; empty when an expansion comes first. */
function fixedPart(value: string): string {
  const fixed = value.slice(0, value.search(/[*?[{$`<]/))
  return fixed.includes("/") ? fixed.slice(0, fixed.lastIndexOf("/") + 1) : ""
}

/** The value of a word with `~`, `$HOME` and `$PWD` replaced; null when another part is computed. */
export function expandHome(word: ShellWord, home: string): string | null {
  if (word.literal) return word.tilde ? expandTilde(word.value, home) : word.value.replace(/^~/, "./~")
  const known = /^(?:\$(HOME|PWD)|\$\{(HOME|PWD)\})(\/[^$`*?[{]*)?$/.exec(word.value)
  if (known === null) return null
  return ((known[1] ?? known[2]) === "HOME" ? home : ".") + (known[3] ?? "")
}

/** `$PWD/x` as `./x`. */
function fromHere(value: string): string {
  return value.replace(/^\$(?:PWD|\{PWD\})(?=\/)/, ".")
}

export function expandTilde(value: string, home: string): string {
  return value === "~" || value.startsWith("~/") ? home + value.slice(1) : value
}

/** Whether a word starts in a directory that only the shell knows: `~root/x`, `~-`. */
export function startsElsewhere({ tilde, value }: ShellWord): boolean {
  return tilde && /^~[^/]/.test(value)
}

/** How many words the braces of a pattern produce at most: 18 for `{a,b}{1..9}`. */
export function braceCount(pattern: string): number {
  let count = 1
  for (const [, from, to] of pattern.matchAll(/\{([^{},.]+)\.\.([^{},.]+)/g)) {
    const distance = Math.abs(Number(from) - Number(to))
    // A range of characters has fewer than 128 members.
    count *= Number.isNaN(distance) ? 128 : distance + 1
  }
  const open: number[] = []
  for (const character of pattern) {
    if (character === "{") open.push(1)
    else if (character === "}") count *= open.pop() ?? 1
    else if (character === "," && open.length > 0) open.push((open.pop() ?? 0) + 1)
  }
  return count
}
