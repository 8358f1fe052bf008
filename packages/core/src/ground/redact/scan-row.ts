import type { Finding, Scanner } from "./scanner.ts"

/** A string of a row with its findings. */
interface ScannedText {
  at: RowText
  content: ReadableText
  findings: Finding[]
  /** How much of the string may be shown while it grows (UTF-16 units). */
  open: number
}

export interface ScannedRow {
  row: unknown
  texts: readonly ScannedText[]
  /** Ends of its strings that may begin a secret; the next rows are scanned as if they followed these. */
  tails: readonly string[]
}

interface ScanRowOptions {
  /** The `tails` of the previous rows. */
  before?: readonly string[]
  /** Whether the string at this place still grows. */
  isGrowing?(path: RowText["path"]): boolean
}

/** Most string ends of a row that are remembered. */
const maxTails = 8

/** Separates unrelated strings in the scanned text: no secret goes over it. */
const apart = "\n\u0000\n"
const sameList = "\n"

/**
 * Scans every string of a row. The strings at the same place in the items of a list (todos of a call, lines found by a
 * search) are read as one text, because a secret may be spread over them.
 */
export function scanRow(scanner: Scanner, row: unknown, options: ScanRowOptions = {}): ScannedRow {
  const { before = [], isGrowing = () => false } = options
  const lanes = [...Map.groupBy(rowTexts(row), laneOf).values()].map((lane) => lane.map(withoutFindings))
  const all = lanes.flat()
  addFindings(all, scanner.find(lanes.map((lane) => lane.map(textOf).join(sameList)).join(apart)), gapsOf(lanes))
  const tails: string[] = []
  for (const lane of lanes) {
    const text = lane.map(textOf).join(sameList)
    const gaps = lane.map(() => sameList.length)
    for (const tail of ["", ...before.filter((known) => scanner.mayGoOn(known, text))]) {
      const joined = tail === "" ? text : `${tail}\n${text}`
      const cut = scanner.cutAt(joined)
      // A secret that begins in this row is remembered once; one that began earlier is remembered with its beginning.
      if (cut !== null && (tail === "" || cut.start <= tail.length)) tails.push(joined.slice(cut.start))
      if (cut?.isCertain || tail !== "") addFindings(lane, scanner.find(text, { before: tail, isWhole: true }), gaps)
    }
    for (const scanned of lane) if (isGrowing(scanned.at.path)) scanned.open = scanner.openAt(textOf(scanned))
  }
  for (const text of all) text.findings = joinedFindings(text.findings)
  return { row, texts: all, tails: [...new Set(tails)].slice(-maxTails) }
}

/** A string before its scan. */
function withoutFindings(at: RowText): ScannedText {
  const content = readable(at.text)
  return { at, content, findings: [], open: content.text.length }
}

function textOf({ content }: ScannedText): string {
  return content.text
}

/** The key of strings that are read as one text: their place without the indexes in lists. */
function laneOf({ path, isKey }: RowText): string {
  const steps = (isKey ? path.slice(0, -1) : path).map((step) => (typeof step === "number" ? 0 : step))
  return `${isKey} ${JSON.stringify(steps)}`
}

/** The distance from each string to the next one in the scanned text. */
function gapsOf(lanes: readonly (readonly ScannedText[])[]): number[] {
  return lanes.flatMap((lane) => lane.map((_, index) => (index === lane.length - 1 ? apart : sameList).length))
}

/** Gives each string its findings, with positions in that string. */
function addFindings(texts: readonly ScannedText[], findings: readonly Finding[], gaps: readonly number[]): void {
  let offset = 0
  let first = 0
  for (const [index, text] of texts.entries()) {
    const end = offset + textOf(text).length
    while (first < findings.length && (findings[first]?.end ?? 0) <= offset) first += 1
    for (let nth = first; nth < findings.length; nth++) {
      const finding = findings[nth]
      if (finding === undefined || finding.start >= end) break
      text.findings.push({
        ...finding,
        start: Math.max(finding.start - offset, 0),
        end: Math.min(finding.end, end) - offset,
      })
    }
    offset = end + (gaps[index] ?? 0)
  }
}

/** The findings in order and without overlaps: of overlapping ones, the first is extended. */
function joinedFindings(findings: readonly Finding[]): Finding[] {
  const result: Finding[] = []
  for (const finding of findings.toSorted((left, right) => left.start - right.start)) {
    const last = result.at(-1)
    if (finding.end <= finding.start) continue
    if (last === undefined || finding.start >= last.end) result.push({ ...finding })
    else last.end = Math.max(last.end, finding.end)
  }
  return result
}

const base64URL = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w-]+=[^;,]{1,100})*);base64,/i
const textKinds =
  /^text\/|^image\/svg|[/+](?:json|xml|yaml|toml|javascript|typescript|x-sh|x-httpd-php|sql|x-www-form-urlencoded)$/i

/** The text that a reader gets from a string, and how to write it back after a change. */
interface ReadableText {
  text: string
  write(text: string): string
}

/**
 * Decodes a data URL in base64 that holds text; any other data URL in base64 has no text to read. Other strings stay
 * unchanged.
 */
function readable(text: string): ReadableText {
  const match = text.startsWith("data:") ? base64URL.exec(text) : null
  if (match === null) return { text, write: (changed) => changed }
  const [head, kind = "text/plain"] = match
  const bytes = Buffer.from(text.slice(head.length), "base64")
  if (!textKinds.test(kind) && bytes.includes(0)) return { text: "", write: () => text }
  return {
    text: bytes.toString("utf8"),
    write: (changed) => head + Buffer.from(changed).toString("base64"),
  }
}

/** A string of a row with its path: keys of records and indexes in lists. */
interface RowText {
  path: readonly (string | number)[]
  text: string
  /** The string is the name of a member, not a value. */
  isKey: boolean
}

/** Members with values that Docket itself made: ids, kinds, states. Their schemas allow nothing else. */
const ownMembers: ReadonlySet<string> = new Set([
  "id",
  "sessionID",
  "messageID",
  "partID",
  "rootID",
  "parentID",
  "projectID",
  "turnID",
  "todoID",
  "role",
  "type",
  "status",
])

/** Every string of a row that may come from outside Docket, names of members included. */
export function rowTexts(row: unknown): RowText[] {
  const texts: RowText[] = []
  const walk = (value: unknown, path: readonly (string | number)[]) => {
    if (typeof value === "string") texts.push({ path, text: value, isKey: false })
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) walk(item, [...path, index])
    else if (typeof value === "object" && value !== null)
      for (const [name, member] of Object.entries(value)) {
        if (path.length === 0 && ownMembers.has(name)) continue
        if (path.length > 0) texts.push({ path: [...path, name], text: name, isKey: true })
        walk(member, [...path, name])
      }
  }
  walk(row, [])
  return texts
}

/** The row with these strings replaced. A changed name that another member already has gets a number. */
export function withTexts(row: unknown, texts: ReadonlyMap<RowText, string>): unknown {
  if (texts.size === 0) return row
  const values = new Map<string, string>()
  const names = new Map<string, string>()
  for (const [{ path, isKey }, text] of texts) (isKey ? names : values).set(placeOf(path), text)
  const rewrite = (value: unknown, path: readonly (string | number)[]): unknown => {
    if (typeof value === "string") return values.get(placeOf(path)) ?? value
    if (Array.isArray(value)) return value.map((item, index) => rewrite(item, [...path, index]))
    if (typeof value !== "object" || value === null) return value
    const taken = new Set<string>()
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const own = [...path, name]
        return [freeName(names.get(placeOf(own)) ?? name, taken), rewrite(member, own)]
      }),
    )
  }
  return rewrite(row, [])
}

function freeName(name: string, taken: Set<string>): string {
  let free = name
  for (let count = 2; taken.has(free); count++) free = `${name} (${count})`
  taken.add(free)
  return free
}

function placeOf(path: readonly (string | number)[]): string {
  return JSON.stringify(path)
}
