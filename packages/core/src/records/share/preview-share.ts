import type { Finding } from "../../ground/redact/index.ts"
import type { Session } from "../../ground/schema/index.ts"
import type { ShareSource } from "./public-row.ts"
import type { ShareScan } from "./share-scan.ts"

/** A place where a finding occurs. */
interface FoundPlace {
  sessionID: string
  messageID: string | null
  partID: string | null
  /** The text around it, with all findings in it replaced. */
  excerpt: string
}

/** One secret, path or name, with the places where it occurs. */
interface PreviewFinding extends Pick<Finding, "digest" | "rule" | "label" | "severity"> {
  /** How often it occurs; `places` has the first ones. */
  count: number
  places: FoundPlace[]
}

/** What a share would publish. */
export interface SharePreview {
  /** Pass it to `create`: findings are identified by digests under this key. Empty for an existing share. */
  key: string
  sessions: (Pick<Session, "id" | "parentID" | "title" | "agent" | "time"> & {
    parts: number
    /** Size of the published data as JSON (UTF-16 units). */
    size: number
  })[]
  /** Secrets first, then by number of occurrences. */
  findings: PreviewFinding[]
}

/** Most places listed for one finding. */
const maxPlaces = 20
/** UTF-16 units shown before and after a finding. */
const around = 40

/** Scans everything that a share would show. */
export async function previewShare(
  scan: ShareScan,
  {
    key,
    sources,
    yieldToEventLoop,
  }: { key: string; sources: readonly ShareSource[]; yieldToEventLoop: () => Promise<void> },
): Promise<SharePreview> {
  const sessions = new Map<string, SharePreview["sessions"][number]>()
  const findings = new Map<string, PreviewFinding>()
  for (const { kind, value } of sources) if (kind === "part") scan.learn(value)
  for (const source of sources) {
    await yieldToEventLoop()
    const scanned = scan.scan(source)
    if (scanned === null) continue
    if (source.kind === "session") {
      const { id, parentID, title, agent, time } = source.value
      sessions.set(id, { id, parentID, title, agent, time, parts: 0, size: 0 })
    }
    const place = placeOf(source)
    const session = sessions.get(place.sessionID)
    if (session) {
      session.size += JSON.stringify(scanned.row).length
      if (source.kind === "part") session.parts += 1
    }
    for (const { content, findings: found } of scanned.texts)
      for (const finding of found) add(findings, finding, { ...place, excerpt: excerpt(content.text, finding, found) })
  }
  return { key, sessions: [...sessions.values()], findings: [...findings.values()].sort(byWeight) }
}

function add(findings: Map<string, PreviewFinding>, finding: Finding, place: FoundPlace): void {
  const { digest, rule, label, severity } = finding
  const known = findings.get(digest) ?? { digest, rule, label, severity, count: 0, places: [] }
  known.count += 1
  if (known.places.length < maxPlaces) known.places.push(place)
  findings.set(digest, known)
}

/** The text around a finding; other findings in it are replaced as in the share. */
function excerpt(text: string, { start, end, replacement }: Finding, all: readonly Finding[]): string {
  const before = all.findLast((other) => other.end <= start)?.end ?? 0
  const after = all.find((other) => other.start >= end)?.start ?? text.length
  const head = text.slice(Math.max(before, start - around), start)
  const tail = text.slice(end, Math.min(after, end + around))
  return `${head}${replacement}${tail}`.replaceAll(/\s+/g, " ").trim()
}

function placeOf(source: ShareSource): Omit<FoundPlace, "excerpt"> {
  switch (source.kind) {
    case "session":
    case "locked":
      return { sessionID: source.value.id, messageID: null, partID: null }
    case "todos":
      return { sessionID: source.sessionID, messageID: null, partID: null }
    case "message":
      return { sessionID: source.value.sessionID, messageID: source.value.id, partID: null }
    case "part":
      return { sessionID: source.value.sessionID, messageID: source.value.messageID, partID: source.value.id }
    case "task":
      return { sessionID: source.value.sessionID, messageID: null, partID: null }
  }
}

function byWeight(left: PreviewFinding, right: PreviewFinding): number {
  if (left.severity !== right.severity) return left.severity === "secret" ? -1 : 1
  return right.count - left.count
}
