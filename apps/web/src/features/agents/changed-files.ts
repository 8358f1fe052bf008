import type { TranscriptWindow } from "@docket/client"
import type { MessageWithParts } from "@docket/core/schema"
import { type FileChange, readFileChange } from "../transcript/tools/read-file-change.ts"

export interface PartChange extends FileChange {
  partID: string
  sessionID: string
  agent: string
}

/** One file with every change that the tree made to it, oldest first. */
export interface ChangedFile {
  path: string
  additions: number
  deletions: number
  changes: PartChange[]
}

/** Files that edit and write calls changed, by path. Failed and unfinished calls changed nothing. */
export function changedFiles(transcripts: Readonly<Record<string, TranscriptWindow>>): ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  const messages = Object.values(transcripts).flatMap((window) => window.messages)
  for (const change of messages.flatMap(changesOf).sort((a, b) => (a.partID < b.partID ? -1 : 1))) {
    const file = files.get(change.path) ?? { path: change.path, additions: 0, deletions: 0, changes: [] }
    file.additions += change.additions
    file.deletions += change.deletions
    file.changes.push(change)
    files.set(change.path, file)
  }
  return [...files.values()].sort((a, b) => a.path.localeCompare(b.path))
}

function changesOf({ info, parts }: MessageWithParts): PartChange[] {
  return parts.flatMap((part) => {
    if (part.type !== "tool" || part.state.status !== "completed") return []
    const change = readFileChange(part)
    return change === null ? [] : [{ ...change, partID: part.id, sessionID: part.sessionID, agent: info.agent }]
  })
}
