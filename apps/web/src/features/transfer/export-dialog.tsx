"use client"

import { type ExportWanted, exportPath } from "@docket/client"
import type { Session } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { Button, Group } from "@mantine/core"
import { Download } from "lucide-react"
import { useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { CheckedLine } from "../../ui/checked-line.tsx"
import { ChoiceField } from "../../ui/choice-field.tsx"
import styles from "./transfer.module.css"

export function ExportDialog({ session, onClose }: { session: Session; onClose: () => void }) {
  const [wanted, setWanted] = useState<ExportWanted>({ format: "json", sanitize: false })
  return (
    <Dialog opened onClose={onClose} title="Export session">
      <div className={styles.body}>
        <p>“{shortTitle(session)}” with everything that was delegated in it, as one file.</p>
        <ChoiceField
          label="Format"
          value={wanted.format}
          choices={[
            { value: "json", label: "JSON, to import again" },
            { value: "markdown", label: "Markdown, to read" },
          ]}
          onChange={(format) => setWanted({ ...wanted, format: format === "markdown" ? "markdown" : "json" })}
        />
        <CheckedLine
          label="Hide what looks secret"
          hint="As in a share. Without comments, the history of todos, and what was undone."
          checked={wanted.sanitize}
          onChange={(sanitize) => setWanted({ ...wanted, sanitize })}
        />
      </div>
      <Group justify="flex-end" mt="md">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          component="a"
          variant="filled"
          href={exportPath(session.rootID, wanted)}
          download
          leftSection={<Download size={14} aria-hidden />}
          onClick={onClose}
        >
          Download
        </Button>
      </Group>
    </Dialog>
  )
}
