import type { PastCall } from "./past-call.ts"

/** A line of a file, as a report names it. */
export interface Place {
  file: string
  line: number
  text: string
}

/** Lines longer than this are not looked at. */
const longestLine = 2_000

/** A path as tools and reports name it: relative to the working directory. */
export function relativePath(file: string, directory: string): string {
  const prefix = directory === "" ? "" : `${directory.replace(/\/+$/, "")}/`
  const inside = prefix !== "" && file.startsWith(prefix) ? file.slice(prefix.length) : file
  return inside.replace(/^\.\//, "")
}

const outputLines = (call: PastCall) => call.output.split("\n").filter((line) => line.length < longestLine)

/** The matches of a grep: `path:12: text` on a line, or a line with the path and then `12: text` below. */
export function grepPlaces(call: PastCall, directory: string): Place[] {
  let file = ""
  return outputLines(call).flatMap((line): Place[] => {
    const whole = /^(\S[^:]*\.[\w]+|[\w./@-]+):(\d+):\s?(.*)$/.exec(line)
    if (whole?.[1])
      return [{ file: relativePath(whole[1], directory), line: Number(whole[2]), text: (whole[3] ?? "").trim() }]
    const below = /^\s*(?:Line )?(\d+)[:|]\s?(.*)$/.exec(line)
    if (below && file !== "") return [{ file, line: Number(below[1]), text: (below[2] ?? "").trim() }]
    const heading = /^([\w./@+() -]*[\w)-](?:\.[\w]+)?):?\s*$/.exec(line)
    if (heading?.[1] && /[./]/.test(heading[1])) file = relativePath(heading[1], directory)
    return []
  })
}

/** The files of a glob: one path on a line. */
export function globFiles(call: PastCall, directory: string): string[] {
  return outputLines(call)
    .map((line) => line.trim())
    .filter((line) => /^[^\s:()]+$/.test(line) && /[./]/.test(line) && !line.endsWith("/"))
    .map((line) => relativePath(line, directory))
}

/** Every `path:line` in a subagent's report, with the words after it. */
export function reportedPlaces(call: PastCall, directory: string): Place[] {
  return outputLines(call).flatMap((line) => {
    const match = /([\w@./-]+\.\w{1,10}):(\d+)\b`?(?:\s*(?:[-–—:]\s*)?(.*))?$/.exec(line)
    if (!match?.[1] || match[1].includes("//")) return []
    return [
      {
        file: relativePath(match[1], directory),
        line: Number(match[2]),
        text: (match[3] ?? "").replace(/^`|`$/g, "").trim(),
      },
    ]
  })
}

/** The lines of a read that mention a word, else the first ones that say something. */
export function readPlaces(call: PastCall, words: readonly string[], directory: string): Place[] {
  const file = relativePath(String(call.input.filePath ?? ""), directory)
  const lines = outputLines(call).flatMap((line): Place[] => {
    const match = /^\s*(\d+)(?::|\||\t)\s?(.*)$/.exec(line)
    return match?.[2]?.trim() ? [{ file, line: Number(match[1]), text: match[2].trim() }] : []
  })
  const mentions = lines.filter(({ text }) => words.some((word) => text.toLowerCase().includes(word.toLowerCase())))
  if (mentions.length > 0) return mentions.slice(0, 4)
  return lines
    .filter(({ text }) => /\w{3}/.test(text) && !/^(?:(?:import|from|use|package)\b|\/[/*])/.test(text))
    .slice(0, 3)
}

/** How much a line says about the words: each word it holds counts, a definition and a telling path do too. */
function weight({ file, text }: Place, words: readonly string[]): number {
  const [line, path] = [text.toLowerCase(), file.toLowerCase()]
  const held = words.filter((word) => line.includes(word.toLowerCase())).length
  const named = words.filter((word) => path.includes(word.toLowerCase())).length
  const defines = held > 0 && /\b(?:function|class|interface|type|def|fn|func|struct|enum|export|#)\b|^#/.test(text)
  const minor = /(?:^|[/._-])(?:test|spec|fixture|mock|snap|lock)/.test(path) || /^(?:import|from|use)\b/.test(text)
  return held * 3 + named * 2 + (defines ? 3 : 0) - (minor ? 3 : 0)
}

export interface PickOptions {
  words: readonly string[]
  limit: number
  perFile: number
}

/** The places that say most about the words, without doubles and without lines that hold only punctuation. */
export function pickPlaces(places: readonly Place[], { words, limit, perFile }: PickOptions): Place[] {
  const count = new Map<string, number>()
  const seen = new Set<string>()
  return places
    .filter(({ file, text }) => file !== "" && (text === "" || /\w/.test(text)))
    .map((place) => ({ place, weight: weight(place, words) }))
    .sort((a, b) => b.weight - a.weight)
    .map(({ place }) => place)
    .filter(({ file, line }) => {
      const of = count.get(file) ?? 0
      if (seen.has(`${file}:${line}`) || of >= perFile) return false
      seen.add(`${file}:${line}`)
      count.set(file, of + 1)
      return true
    })
    .slice(0, limit)
}
