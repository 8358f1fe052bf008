import { diffLines, type LineChange } from "./diff-lines.ts"
import { indentOf, learnIndentation, type Reindent } from "./indentation.ts"
import { pairLines } from "./pair-lines.ts"
import type { SearchWork } from "./search-work.ts"
import { learnSpelling, type Respelling } from "./spelled-otherwise.ts"

/**
 * Carries a change from the text that the model remembers over to the text that is in the file. Lines that the model does
 * not change stay as the file has them. Changed and new ones get the indentation that the file has there.
 * @param found the text in the file, with LF
 * @returns null when lines of the file that the model did not name would be lost, or a line to change is not there
 */
export function fitReplacement(
  found: string,
  { oldText, newText }: { oldText: string; newText: string },
  work: SearchWork,
): string | null {
  const [file, old] = [found.split("\n"), oldText.split("\n")]
  const partner = pairLines(old, file, work)
  const pairs = wordedPairs(file, old, partner)
  const fit: Fit = {
    file,
    old,
    partner,
    reindent: learnIndentation(indentPairs(pairs)),
    respell: learnSpelling(pairs.map(([model, line]) => [model.trimStart(), line.trimStart()])),
  }
  if (!isPaired(fit) && words(found) === words(oldText)) return newLines(fit, wholeChange(old, newText)).join("\n")
  const made: string[] = []
  /** The next line of the file. */
  let next = 0
  for (const change of diffLines(old, newText.split("\n"))) {
    if (change.kind === "same") {
      for (let at = change.from; at < change.to; at++) {
        const there = partner[at]
        if (there === undefined || there === null) continue
        made.push(...file.slice(next, there + 1))
        next = there + 1
      }
      continue
    }
    if (isMissing(fit, change)) return null
    const there = partner.slice(change.from, change.to).filter((at) => at !== null)
    const [first, last] = [there[0], there.at(-1)]
    if (first !== undefined && last !== undefined) {
      if (last - first + 1 > there.length && holdsWords(file, first, last, there)) return null
      made.push(...file.slice(next, first))
      next = last + 1
    }
    made.push(...newLines(fit, change))
  }
  return [...made, ...file.slice(next)].join("\n")
}

/** Without white space. */
function words(text: string): string {
  return text.replace(/\s+/g, "")
}

/** Every line that is not blank has its partner on the other side. */
function isPaired({ file, old, partner }: Fit): boolean {
  const worded = (lines: readonly string[]) => lines.filter((line) => line.trim() !== "").length
  const pairs = partner.filter((there, at) => there !== null && (old[at] ?? "").trim() !== "").length
  return pairs === worded(old) && pairs === worded(file)
}

/** All lines replaced at once: where only line breaks differ, nothing of the file can get lost. */
function wholeChange(old: readonly string[], newText: string): LineChange {
  return { kind: "changed", from: 0, to: old.length, added: newText.split("\n") }
}

interface Fit {
  file: readonly string[]
  old: readonly string[]
  /** For each remembered line, the index of the line in the file that it stands for. */
  partner: readonly (number | null)[]
  reindent: Reindent
  respell: Respelling
}

/** A remembered line that the change removes is not in the file. */
function isMissing({ old, partner }: Fit, { from, to }: LineChange): boolean {
  for (let at = from; at < to; at++) if (partner[at] === null && (old[at] ?? "").trim() !== "") return true
  return false
}

/** Lines of the file between these ones, which no remembered line stands for, hold more than white space. */
function holdsWords(file: readonly string[], first: number, last: number, named: readonly number[]): boolean {
  const known = new Set(named)
  for (let at = first; at <= last; at++) if (!known.has(at) && (file[at] ?? "").trim() !== "") return true
  return false
}

/** The remembered lines that are not blank, each with its line in the file. */
function wordedPairs(
  file: readonly string[],
  old: readonly string[],
  partner: readonly (number | null)[],
): [string, string][] {
  const pairs: [string, string][] = []
  for (const [at, there] of partner.entries()) {
    const [model, line] = [old[at] ?? "", there === null ? "" : (file[there] ?? "")]
    if (model.trim() !== "" && line.trim() !== "") pairs.push([model, line])
  }
  return pairs
}

function indentPairs(lines: readonly [string, string][]): [string, string][] {
  const pairs = lines.map(([model, line]): [string, string] => [indentOf(model), indentOf(line)])
  // A piece may begin in the middle of a line, which then looks like a line without indentation.
  const [first, second] = pairs
  const partial =
    first !== undefined && second !== undefined && first[0] === "" && first[1] !== "" && second[0] === second[1]
  return partial ? pairs.slice(1) : pairs
}

/** The new lines of a change, as the file writes them. */
function newLines({ file, old, partner, reindent, respell }: Fit, { from, to, added }: LineChange): string[] {
  const removed = old.slice(from, to)
  const inFile = (at: number) => {
    const there = partner[from + at]
    return there === undefined || there === null ? undefined : file[there]
  }
  /** The indentation of the line before, where the model indents both alike. */
  const beside = (line: string) => {
    const [before, there] = [old[from - 1], partner[from - 1]]
    if (before === undefined || there === undefined || there === null || before.trim() === "") return undefined
    return indentOf(before) === indentOf(line) ? indentOf(file[there] ?? "") : undefined
  }
  const wordsAt = new Map(removed.map((line, at) => [line.trim(), at] as const))
  return added.map((line, index) => {
    if (line.trim() === "") return ""
    const before = wordsAt.get(line.trim()) ?? (removed.length === added.length ? index : -1)
    const there = before >= 0 ? inFile(before) : undefined
    const content =
      there === undefined ? respell(line.trimStart()) : carryOver(respell(removed[before] ?? ""), respell(line), there)
    const partial = from === 0 && index === 0 && indentOf(line) === indentOf(removed[0] ?? "") ? inFile(0) : undefined
    return (partial === undefined ? (beside(line) ?? reindent(indentOf(line))) : indentOf(partial)) + content
  })
}

/**
 * The change of one line, made in the line of the file, which may differ from what the model remembers. Without its
 * indentation. Where the changed place cannot be told in the file, it is the new line itself.
 */
function carryOver(before: string, after: string, inFile: string): string {
  const [old, wanted, there] = [before.trim(), after.trimStart(), inFile.trim()]
  if (old === there) return wanted
  let head = 0
  while (head < Math.min(old.length, wanted.length) && old[head] === wanted[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, wanted.length) - head && old.at(-1 - tail) === wanted.at(-1 - tail)) tail++
  const [gone, put] = [old.slice(head, old.length - tail), wanted.slice(head, wanted.length - tail)]
  if (old === wanted.trimEnd()) return there
  const at = gone === "" ? -1 : there.indexOf(gone)
  if (at < 0 || there.indexOf(gone, at + 1) >= 0 || old.indexOf(gone) !== old.lastIndexOf(gone)) return wanted
  return there.slice(0, at) + put + there.slice(at + gone.length)
}
