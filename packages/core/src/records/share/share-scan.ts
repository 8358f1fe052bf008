import { createHmac } from "node:crypto"
import {
  createScanner,
  createStreamGate,
  type Decisions,
  decisionOn,
  envValues,
  type HomeOwner,
  isEnvFile,
  type KnownValue,
  type OwnPattern,
  redactRow,
  redactText,
  type ScannedRow,
  type Scanner,
  type StreamGate,
  scanRow,
} from "../../ground/redact/index.ts"
import type { Part, Share } from "../../ground/schema/index.ts"
import type { Hidden, ShareRow } from "../../ground/store/index.ts"
import { publicRow, type ShareSource } from "./public-row.ts"
import { keyOf } from "./share-access.ts"

/** Turns rows of a tree into rows of a share's copy. Rows of a session come mostly in transcript order. */
export interface ShareScan {
  /** Scans a row as it would be shown; null when it is not shown. */
  scan(source: ShareSource): ScannedRow | null
  /** The row as readers see it; null when the share does not show it. */
  toRow(source: ShareSource): Omit<ShareRow, "seq"> | null
  /** Learns secrets from a part, before it or another part is scanned. */
  learn(part: Part): void
  /**
   * What the rows depend on besides the tree: the owner's choice, and the known values and patterns. As digests under
   * the share's key.
   */
  known(): readonly string[]
  /** The known values that occurred in a row. */
  met(): readonly KnownValue[]
}

export interface ShareScanSources {
  owner: HomeOwner
  known: readonly KnownValue[]
  patterns: readonly OwnPattern[]
}

/** Version of the scan's own rules; copies scanned with another version are scanned again. */
const rules = "rules 2"

/** How many last texts, and how many last calls, may end with the beginning of a secret that a later part continues. */
const remembered = 4

export function createShareScan(share: Share, sources: ShareScanSources): ShareScan {
  const known = new Map(sources.known.map((value) => [value.value, value]))
  const key = keyOf(share)
  const makeScanner = (): Scanner => createScanner({ ...sources, key, known: [...known.values()] })
  let scanner = makeScanner()
  // `met` leaves out secrets that only the tree's own `.env` files name: reading the tree gives them again.
  const named = new Set(sources.known.map(({ value }) => value))
  const met = new Map<string, KnownValue>()
  const gatherMet = () => {
    for (const value of scanner.met()) if (named.has(value.value)) met.set(value.value, value)
    return [...met.values()]
  }
  let digests: readonly string[] = []
  const tails = createTails()
  // Only parts can be left out; without its row, a session, list or task would hide more than itself.
  const wholeRowDecisions = withoutOmissions(share.decisions)
  const gates = new Map<string, StreamGate>()
  const grow = (part: Part & { text: string }): string => {
    const show: Parameters<typeof createStreamGate>[1] = (text, findings) =>
      redactText(
        text,
        // A finding for which its part will be left out is hidden until the part is complete.
        findings.filter((finding) => decisionOn(share.decisions, finding) !== "accept"),
      )
    const gate = gates.get(part.id) ?? createStreamGate(scanner, show, tails.before(part).join("\n"))
    gates.set(part.id, gate)
    gate.grow(part.text)
    return gate.shown()
  }
  const scan: ShareScan["scan"] = (source) => {
    const shown = publicRow(source, share)
    if (shown === null) return null
    if (source.kind !== "part") return scanRow(scanner, shown)
    const part = source.value
    gates.delete(part.id)
    const isGrowing = (path: readonly (string | number)[]) => growingPaths(part).includes(path.join("."))
    const scanned = scanRow(scanner, shown, { before: tails.before(part), isGrowing })
    if (isContent(part)) tails.keep(part, scanned.tails)
    return scanned
  }
  return {
    scan,
    learn(part) {
      const values = envValuesOf(part).filter(({ value }) => !known.has(value))
      if (values.length === 0) return
      for (const value of values) known.set(value.value, value)
      gatherMet()
      scanner = makeScanner()
      gates.clear()
      digests = []
    },
    known() {
      if (digests.length === 0) {
        const patterns = sources.patterns.map((pattern) => JSON.stringify(pattern))
        digests = [rules, shownBy(share), ...known.keys(), ...patterns].map((value) => digestOf(key, value))
      }
      return digests
    },
    met: gatherMet,
    toRow(source) {
      const place = placeOf(source)
      if (source.kind === "part" && isGrowingText(source.value)) {
        const shown = publicRow(source, share)
        if (shown === null) return null
        return { ...place, hidden: {}, data: JSON.stringify({ ...shown, text: grow(source.value) }) }
      }
      const scanned = scan(source)
      const row = scanned && redactRow(scanned, source.kind === "part" ? share.decisions : wholeRowDecisions)
      if (!scanned || row === null) return null
      return { ...place, hidden: hiddenIn(scanned, share.decisions), data: JSON.stringify(row) }
    },
  }
}

/** All parts of the owner's choice that affect rows. */
export function shownBy({ decisions, shows, title, left }: Share): string {
  return JSON.stringify({ decisions, shows, title, left })
}

function digestOf(key: string, value: string): string {
  return createHmac("sha256", key).update(value).digest("base64url").slice(0, 16)
}

/** How often findings are replaced, by label. */
function hiddenIn({ texts }: ScannedRow, decisions: Decisions): Hidden {
  const hidden: Record<string, number> = {}
  for (const finding of texts.flatMap(({ findings }) => findings))
    if (decisionOn(decisions, finding) === "redact") hidden[finding.label] = (hidden[finding.label] ?? 0) + 1
  return hidden
}

function withoutOmissions({ digests, rules }: Decisions): Decisions {
  const redactOmitted = (decisions: Decisions["rules"]) =>
    Object.fromEntries(
      Object.entries(decisions).map(([name, decision]) => [name, decision === "omit" ? "redact" : decision]),
    )
  return { digests: redactOmitted(digests), rules: redactOmitted(rules) }
}

function placeOf(source: ShareSource): Pick<ShareRow, "id" | "kind" | "sessionID" | "messageID"> {
  const { kind } = source
  switch (source.kind) {
    case "session":
      return { kind, id: source.value.id, sessionID: source.value.id, messageID: null }
    case "locked":
      return { kind, id: source.value.id, sessionID: source.value.id, messageID: null }
    case "todos":
      return { kind, id: todosID(source.sessionID), sessionID: source.sessionID, messageID: null }
    case "part":
      return { kind, id: source.value.id, sessionID: source.value.sessionID, messageID: source.value.messageID }
    case "message":
    case "task":
      return { kind, id: source.value.id, sessionID: source.value.sessionID, messageID: null }
  }
}

export function todosID(sessionID: string): string {
  return `todos:${sessionID}`
}

/** Whether a model is still writing the text. */
function isGrowingText(part: Part): part is Extract<Part, { type: "text" | "reasoning" }> {
  return (part.type === "text" || part.type === "reasoning") && part.time?.end === null
}

/** The paths of growing strings in a running call. */
function growingPaths(part: Part): string[] {
  if (part.type !== "tool") return []
  if (part.state.status === "pending") return ["state.raw"]
  return part.state.status === "running" ? ["state.metadata.output"] : []
}

function isContent({ type }: Part): boolean {
  return type === "text" || type === "reasoning" || type === "tool" || type === "file"
}

/**
 * Remembers the ends of the last parts of each session that may begin a secret. Calls and texts are counted separately,
 * so that many calls between two texts do not matter.
 */
function createTails() {
  const sessions = new Map<string, { place: string; isCall: boolean; tails: readonly string[] }[]>()
  const placeOfPart = ({ messageID, id }: Part) => `${messageID}/${id}`
  return {
    before(part: Part): string[] {
      const earlier = (sessions.get(part.sessionID) ?? []).filter(({ place }) => place < placeOfPart(part))
      return newestOfBoth(earlier, remembered).flatMap(({ tails }) => tails)
    },
    keep(part: Part, tails: readonly string[]): void {
      const place = placeOfPart(part)
      const others = (sessions.get(part.sessionID) ?? []).filter((other) => other.place !== place)
      const own = { place, isCall: part.type === "tool", tails }
      const list = [...others, own].sort((a, b) => (a.place < b.place ? -1 : 1))
      // More than is used at once, because rows may come out of order.
      sessions.set(part.sessionID, newestOfBoth(list, remembered * 4))
    },
  }
}

/** The last calls and the last others, `count` of each, in their order. */
export function newestOfBoth<T extends { isCall: boolean }>(list: readonly T[], count: number): T[] {
  const calls = list.filter(({ isCall }) => isCall).slice(-count)
  const others = list.filter(({ isCall }) => !isCall).slice(-count)
  const kept = new Set([...calls, ...others])
  return list.filter((item) => kept.has(item))
}

/** Finds names of environment files in a command. */
const envInCommand = /(?:^|[\s'"=/])(\.env[\w.-]*)/g
/** The line number before a line of a file in a listing. */
const lineNumber = /^\s*\d+[:|→\t] ?/gm
/** A line of an environment file in a command's output. */
const assignment = /^\s*(?:export\s+)?[A-Za-z_]\w*=\S/

/** The secrets that a call shows because it read or wrote a `.env` file. */
function envValuesOf(part: Part): KnownValue[] {
  if (part.type !== "tool" || part.state.status !== "completed") return []
  const { input, output } = part.state
  if (typeof input !== "object" || input === null) return []
  const fields: Record<string, unknown> = { ...input }
  const isFile = [fields.filePath, fields.path].some((path) => typeof path === "string" && isEnvFile(path))
  if (!isFile && !commandFiles(fields.command).some(isEnvFile)) return []
  const texts = [output, fields.content, fields.newString].filter((text) => typeof text === "string")
  return texts.flatMap((text) => {
    const content = text.replace(lineNumber, "")
    return envValues(isFile ? content : assignments(content))
  })
}

function assignments(output: string): string {
  return output
    .split("\n")
    .filter((line) => assignment.test(line))
    .join("\n")
}

function commandFiles(command: unknown): readonly string[] {
  return typeof command === "string" ? Array.from(command.matchAll(envInCommand), ([, file = ""]) => file) : []
}
