import type { PastCall } from "./situation.ts"

/** A line of a file, as a report names it. */
export interface Place {
  file: string
  line: number
  text: string
}

/** Lines longer than this are not looked at. */
const longestLine = 2_000

/** A path as tools and reports name it: relative to the project's root. */
export function relativePath(file: string, root: string): string {
  const prefix = root === "" ? "" : `${root.replace(/\/+$/, "")}/`
  const inside = prefix !== "" && file.startsWith(prefix) ? file.slice(prefix.length) : file
  return inside.replace(/^\.\//, "")
}

const outputLines = (call: PastCall) => call.output.split("\n").filter((line) => line.length < longestLine)

/** The matches of a grep: `path:12: text` on a line, or a line with the path and then `12: text` below. */
export function grepPlaces(call: PastCall, root: string): Place[] {
  let file = ""
  return outputLines(call).flatMap((line): Place[] => {
    const whole = /^(\S[^:]*\.[\w]+|[\w./@-]+):(\d+):\s?(.*)$/.exec(line)
    if (whole?.[1])
      return [{ file: relativePath(whole[1], root), line: Number(whole[2]), text: (whole[3] ?? "").trim() }]
    const below = /^\s*(?:Line )?(\d+)[:|]\s?(.*)$/.exec(line)
    if (below && file !== "") return [{ file, line: Number(below[1]), text: (below[2] ?? "").trim() }]
    const heading = /^([\w./@+() -]*[\w)-](?:\.[\w]+)?):?\s*$/.exec(line)
    if (heading?.[1] && /[./]/.test(heading[1])) file = relativePath(heading[1], root)
    return []
  })
}

/** The files of a glob: one path on a line. */
export function globFiles(call: PastCall, root: string): string[] {
  return outputLines(call)
    .map((line) => line.trim())
    .filter((line) => /^[^\s:()]+$/.test(line) && /[./]/.test(line) && !line.endsWith("/"))
    .map((line) => relativePath(line, root))
}

/** Every `path:line` in a subagent's report, with the words after it. */
export function reportedPlaces(call: PastCall, root: string): Place[] {
  return outputLines(call).flatMap((line) => {
    const match = /([\w@./-]+\.\w{1,10}):(\d+)\b`?(?:\s*(?:[-–—:]\s*)?(.*))?$/.exec(line)
    if (!match?.[1] || match[1].includes("//")) return []
    return [
      {
        file: relativePath(match[1], root),
        line: Number(match[2]),
        text: (match[3] ?? "").replace(/^`|`$/g, "").trim(),
      },
    ]
  })
}

/** The lines of a read that mention a word, else its first line with text. */
export function readPlaces(call: PastCall, words: readonly string[], root: string): Place[] {
  const file = relativePath(String(call.input.filePath ?? ""), root)
  const lines = outputLines(call).flatMap((line): Place[] => {
    const match = /^\s*(\d+)(?::|\||\t)\s?(.*)$/.exec(line)
    return match?.[2]?.trim() ? [{ file, line: Number(match[1]), text: match[2].trim() }] : []
  })
  const mentions = lines.filter(({ text }) => words.some((word) => text.toLowerCase().includes(word.toLowerCase())))
  return mentions.length > 0 ? mentions.slice(0, 4) : lines.slice(0, 1)
}

/** Without doubles, at most `limit`, and not more than `perFile` of one file. */
export function pickPlaces(places: readonly Place[], limit: number, perFile = 3): Place[] {
  const count = new Map<string, number>()
  const seen = new Set<string>()
  return places
    .filter(({ file, line }) => {
      const of = count.get(file) ?? 0
      if (file === "" || seen.has(`${file}:${line}`) || of >= perFile) return false
      seen.add(`${file}:${line}`)
      count.set(file, of + 1)
      return true
    })
    .slice(0, limit)
}
