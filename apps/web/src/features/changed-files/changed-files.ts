import type { TreeState } from "@docket/client"
import type { MessageWithParts } from "@docket/core/schema"
import { type FileChange, readFileChange } from "../tools/read-file-change.ts"
import { isUndone } from "../tree/is-undone.ts"
import { keptMessages } from "../tree/kept-messages.ts"

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

type Transcripts = Pick<TreeState, "sessions" | "transcripts">

/** The messages of all sessions that are loaded, without what is undone. */
export function keptMessagesOf({ sessions, transcripts }: Transcripts): MessageWithParts[] {
  return Object.entries(transcripts).flatMap(([id, { messages }]) =>
    isUndone(sessions[id]) ? [] : keptMessages(messages, sessions[id]?.revert),
  )
}

/** Files that edit and write calls changed, by path. Failed, unfinished and undone calls changed nothing. */
export function changedFiles(tree: Transcripts): ChangedFile[] {
  const files = new Map<string, ChangedFile>()
  for (const change of keptMessagesOf(tree)
    .flatMap(changesOf)
    .sort((a, b) => (a.partID < b.partID ? -1 : 1))) {
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
