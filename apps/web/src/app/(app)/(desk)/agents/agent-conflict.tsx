"use client"

import { Button, Textarea } from "@mantine/core"
import entries from "../../../../ui/entries.module.css"
import styles from "./agents.module.css"
import type { AgentText } from "./use-agent-text.ts"

interface AgentConflictProps {
  /** Label of the file. */
  file: string
  text: AgentText
  onSaved(saved: { counts: boolean } | null): void
  onClose(): void
}

/** Moves focus here, because the button that had it is gone. */
const takeFocus = (section: HTMLElement | null) => section?.focus()

/** The file was changed on disk meanwhile: shows both texts, and writes nothing before the user chooses one. */
export function AgentConflict({ file, text, onSaved, onClose }: AgentConflictProps) {
  const theirs = text.conflict?.text ?? null
  return (
    <section ref={takeFocus} tabIndex={-1} className={entries.form} aria-label="Conflict">
      <p role="alert" className={styles.conflict}>
        <strong>{theirs === null ? "The file is gone from the disk." : "The file changed on disk meanwhile."}</strong>{" "}
        Nothing was saved. This is {file} as you have it, and as it is now.
      </p>
      <div className={styles.sides}>
        <Textarea
          label="Yours"
          autosize
          minRows={6}
          maxRows={24}
          spellCheck={false}
          classNames={{ input: styles.code ?? "" }}
          value={text.text}
          onChange={(event) => text.setText(event.currentTarget.value)}
        />
        {theirs === null ? null : (
          <Textarea
            label="On disk"
            readOnly
            autosize
            minRows={6}
            maxRows={24}
            classNames={{ input: styles.code ?? "" }}
            value={theirs}
          />
        )}
      </div>
      {text.failure ? (
        <p role="alert" className={entries.problem}>
          {text.failure}
        </p>
      ) : null}
      <div className={entries.actions}>
        <Button variant="filled" loading={text.busy} onClick={() => void text.overwrite().then(onSaved, () => {})}>
          Save yours in its place
        </Button>
        {theirs === null ? null : <Button onClick={text.takeTheirs}>Go on with what is on disk</Button>}
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </section>
  )
}
