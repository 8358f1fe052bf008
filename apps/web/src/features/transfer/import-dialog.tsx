"use client"

import { importFile } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import type { ImportReport } from "@docket/core"
import { Button, FileInput, Group } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { type DragEvent, useState } from "react"
import { Dialog } from "../../shell/dialog.tsx"
import { lastProject } from "../../shell/last-project.ts"
import { useGo } from "../../shell/use-go.ts"
import { CheckedLine } from "../../ui/checked-line.tsx"
import { ChoiceField } from "../../ui/choice-field.tsx"
import { fileProblem } from "./file-problem.ts"
import { ImportedSession } from "./imported-session.tsx"
import styles from "./transfer.module.css"

/** Imports a session from a file that the user chooses or drops here. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [report, setReport] = useState<ImportReport | null>(null)
  const go = useGo()
  const open = (sessionID: string) => {
    onClose()
    go(`/s/${sessionID}`)
  }
  return (
    <Dialog opened onClose={onClose} title="Import a session">
      {report === null ? (
        <ImportForm
          onClose={onClose}
          // If nothing was left out, the imported session itself is opened.
          onImported={(imported) => (imported.left.length === 0 ? open(imported.sessionID) : setReport(imported))}
        />
      ) : (
        <ImportedSession report={report} onOpen={() => open(report.sessionID)} />
      )}
    </Dialog>
  )
}

function ImportForm({ onClose, onImported }: { onClose: () => void; onImported: (report: ImportReport) => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const projects = useQuery(trpc.project.list.queryOptions())
  const [file, setFile] = useState<File | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [newIDs, setNewIDs] = useState(false)
  const projectID = chosen ?? lastProject(projects.data ?? [])?.id ?? ""
  const upload = useMutation({ mutationFn: (given: File) => importFile({ url: "", file: given, projectID, newIDs }) })
  const choose = (given: File | null) => {
    setFile(given)
    upload.reset()
  }
  const submit = async (given: File) => {
    const report = await upload.mutateAsync(given)
    void queries.invalidateQueries(trpc.session.list.pathFilter())
    onImported(report)
  }
  const drop = (event: DragEvent) => {
    event.preventDefault()
    choose(event.dataTransfer.files[0] ?? null)
  }
  const problem = (file && fileProblem(file)) ?? upload.error?.message
  const isReady = file !== null && fileProblem(file) === null && projectID !== ""
  return (
    <form
      className={styles.body}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drop}
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) submit(file).catch(() => {})
      }}
    >
      <FileInput
        label="File"
        description="Of Docket, of OpenCode (opencode export), or of Claude Code (.jsonl). It can be dropped here."
        placeholder="Choose a file"
        data-autofocus
        clearable
        value={file}
        error={problem}
        onChange={choose}
      />
      <ChoiceField
        label="Project that it belongs to"
        value={projectID}
        choices={(projects.data ?? []).map(({ id, name, directory }) => ({
          value: id,
          label: `${name}: ${directory}`,
        }))}
        onChange={setChosen}
      />
      <CheckedLine
        label="As a copy"
        hint="With new ids, next to the session that it was made of."
        checked={newIDs}
        onChange={(checked) => {
          setNewIDs(checked)
          upload.reset()
        }}
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="filled" disabled={!isReady} loading={upload.isPending}>
          Import
        </Button>
      </Group>
    </form>
  )
}
