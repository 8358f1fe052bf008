"use client"

import type { TreeState } from "@docket/client"
import { useTree } from "@docket/client/react"
import { useEffect, useMemo } from "react"
import { agentHue } from "../../theme/agent-hue.ts"
import { formatCount } from "../../ui/format-count.ts"
import { LinkButton } from "../../ui/link-button.tsx"
import panel from "../../ui/panel.module.css"
import { LazyDiff } from "../tools/lazy-diff.tsx"
import { DiffFigures } from "../tools/tool-header.tsx"
import { useStableTreeState } from "../tree/use-stable-tree-state.ts"
import styles from "./changed-files.module.css"
import { type ChangedFile, changedFiles, keptMessagesOf } from "./changed-files.ts"

interface FilesPanelProps {
  rootID: string
  /** Goes to the call that made a change. */
  onOpenPart(sessionID: string, partID: string): void
}

const noTree = { sessions: {}, transcripts: {} }

/** Every file that the tree changed, with its diffs. Loads the newest messages of all sessions to find them. */
export function FilesPanel({ rootID, onOpenPart }: FilesPanelProps) {
  const store = useTree(rootID)
  const sessions = useStableTreeState(store, (view) => Object.keys(view.tree?.sessions ?? {}))
  useEffect(() => {
    const loaded = store.get().tree?.transcripts ?? {}
    for (const id of sessions) if (loaded[id] === undefined) void store.open(id)
  }, [store, sessions])
  const parts = useStableTreeState(store, (view) => changedParts(view.tree))
  // biome-ignore lint/correctness/useExhaustiveDependencies: `parts` stands for the part of the tree that is read
  const files = useMemo(() => changedFiles(store.get().tree ?? noTree), [store, parts])
  const partial = sessions.some((id) => store.get().tree?.transcripts[id]?.before)
  return (
    <section className={panel.panel} aria-label="Changed files">
      {files.length === 0 ? <p className={styles.empty}>No file was changed yet.</p> : null}
      <ul className={styles.files}>
        {files.map((file) => (
          <File key={file.path} file={file} onOpenPart={onOpenPart} />
        ))}
      </ul>
      {partial ? <p className={styles.empty}>Changes in messages that are not loaded are not listed.</p> : null}
    </section>
  )
}

function File({ file, onOpenPart }: { file: ChangedFile; onOpenPart: FilesPanelProps["onOpenPart"] }) {
  return (
    <li>
      <details>
        <summary className={styles.fileHead}>
          <span className={styles.path} title={file.path}>
            {file.path}
          </span>
          <DiffFigures additions={file.additions} deletions={file.deletions} />
        </summary>
        {file.changes.map((change) => (
          <div key={change.partID} className={styles.change} style={{ borderLeftColor: agentHue(change.agent) }}>
            <LinkButton onClick={() => onOpenPart(change.sessionID, change.partID)}>
              {file.changes.length > 1 ? `Change by ${change.agent}` : `By ${change.agent}`}
            </LinkButton>
            {change.patch === null ? (
              <p className={styles.empty}>The diff was too large to keep.</p>
            ) : (
              <LazyDiff change={change} />
            )}
          </div>
        ))}
      </details>
      {file.changes.length > 1 ? (
        <span className="visually-hidden">{formatCount(file.changes.length, "change")}</span>
      ) : null}
    </li>
  )
}

/** Edit and write parts by id: what the panel depends on. */
function changedParts(tree: TreeState | null): Record<string, object> {
  const parts: Record<string, object> = {}
  for (const message of keptMessagesOf(tree ?? noTree)) {
    for (const part of message.parts) {
      if (part.type === "tool" && (part.tool === "edit" || part.tool === "write")) parts[part.id] = part
    }
  }
  return parts
}
