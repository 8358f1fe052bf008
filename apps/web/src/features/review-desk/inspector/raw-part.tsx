"use client"

import type { TreeStore, TreeView } from "@docket/client"
import { useTreeState } from "@docket/client/react"
import type { MessageWithParts, Part } from "@docket/core/schema"
import { useMemo } from "react"
import { CopyButton } from "../../../shell/copy-button.tsx"
import panel from "../../../ui/panel.module.css"
import { LongCode } from "../../tools/long-code.tsx"
import styles from "./raw-part.module.css"

interface RawPartProps {
  store: TreeStore
  sessionID: string
  /** A part or message; null until the user has chosen one. */
  at: string | null
}

/** The stored JSON of the chosen part or message. */
export function RawPart({ store, sessionID, at }: RawPartProps) {
  const found = useTreeState(store, (view) => (at === null ? null : findStored(view, sessionID, at)))
  const text = useMemo(() => (found === null ? null : JSON.stringify(found, null, 2)), [found])
  if (text === null)
    return (
      <p className={panel.empty}>Go to a part of the transcript, by j and k or a click, to see it as it is stored.</p>
    )
  return (
    <section aria-label="As it is stored" className={panel.panel}>
      <p className={styles.head}>
        <code>{at}</code>
        <CopyButton text={text} what="the JSON" />
      </p>
      <LongCode text={text} language="json" />
    </section>
  )
}

function findStored({ tree }: TreeView, sessionID: string, at: string): Part | MessageWithParts | null {
  const messages = tree?.transcripts[sessionID]?.messages ?? []
  for (const message of messages) {
    if (message.info.id === at) return message
    const part = message.parts.find(({ id }) => id === at)
    if (part !== undefined) return part
  }
  return null
}
