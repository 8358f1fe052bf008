import { asRecord, type JsonRecord, readList, readNumber, readString } from "./read-record.ts"

/** One line of a file list: a path, and for grep the line that matched. */
export interface FileHit {
  path: string
  line: number | null
  text: string | null
}

/** What glob and grep found. Unknown entries are left out. */
export function readFileHits(metadata: JsonRecord): FileHit[] {
  return (readList(metadata, "files", "matches") ?? []).flatMap((item) => {
    if (typeof item === "string") return [{ path: item, line: null, text: null }]
    const record = asRecord(item)
    const path = readString(record, "file", "path")
    if (path === null) return []
    const lines = readList(record, "lines")
    if (lines === null) return [{ path, line: readNumber(record, "line"), text: readString(record, "text") }]
    return lines.map((entry) => {
      const line = asRecord(entry)
      return { path, line: readNumber(line, "line"), text: readString(line, "text") ?? "" }
    })
  })
}
