"use client"

import type { DefinedAgent } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { Button, SegmentedControl, Textarea, TextInput } from "@mantine/core"
import { useState } from "react"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { CheckedLine } from "../../../../ui/checked-line.tsx"
import { ChoiceField } from "../../../../ui/choice-field.tsx"
import entries from "../../../../ui/entries.module.css"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import { sourceLabel } from "../settings/rule-labels.ts"
import { AgentConflict } from "./agent-conflict.tsx"
import { AgentFields } from "./agent-fields.tsx"
import styles from "./agents.module.css"
import { type EditedAgent, type NewAgent, useAgentText } from "./use-agent-text.ts"

/** What the editor is open for. */
export interface EditorTarget {
  /** The file to change; null for a new agent. */
  edited: EditedAgent | null
  /** The fixed name, when a built-in agent is to be changed. */
  name?: string
}

interface AgentEditorProps extends EditorTarget {
  project: Project
  agents: DefinedAgent[]
  onClose(): void
}

/** The form is above a list that may be scrolled. */
const intoView = (form: HTMLFormElement | null) => form?.scrollIntoView({ block: "nearest" })

const views = [
  { value: "form", label: "Form" },
  { value: "text", label: "Markdown" },
]

/** Edits an agent's file: in a form for the usual settings, or as text. */
export function AgentEditor({ project, agents, edited, name: fixedName, onClose }: AgentEditorProps) {
  const announce = useAnnounce()
  const [newAgent, setNewAgent] = useState<NewAgent>({
    name: fixedName ?? "",
    owner: "project",
    replaces: fixedName !== undefined,
  })
  const text = useAgentText(project, edited, edited?.name ?? newAgent.name)
  const title = edited ? `Edit ${edited.name}` : fixedName ? `Change ${fixedName}` : "New agent"
  const done = (saved: { counts: boolean } | null) => {
    if (saved === null) return
    announce(saved.counts ? "Saved" : "Saved. It counts once you trust this project’s configuration.")
    onClose()
  }
  if (text.conflict !== null)
    return (
      <AgentConflict
        file={sourceLabel(edited?.source.file ?? null, project.worktree)}
        text={text}
        onSaved={done}
        onClose={onClose}
      />
    )
  return (
    <form
      ref={intoView}
      className={entries.form}
      aria-label={title}
      onSubmit={(event) => {
        event.preventDefault()
        text.save(edited ? null : newAgent).then(done, () => {})
      }}
    >
      <Head title={title} text={text} />
      {edited ? (
        <p className={entries.meta}>{sourceLabel(edited.source.file, project.worktree)}</p>
      ) : (
        <NameAndOwner newAgent={newAgent} fixed={fixedName !== undefined} agents={agents} onChange={setNewAgent} />
      )}
      {text.view === null && text.failure === null ? <SkeletonRows count={4} height={36} label="Loading" /> : null}
      {text.view === "form" && text.form ? (
        <AgentFields projectID={project.id} form={text.form} onChange={text.setForm} />
      ) : null}
      {text.view === "text" ? (
        <Textarea
          label="Markdown"
          autosize
          minRows={10}
          maxRows={30}
          spellCheck={false}
          classNames={{ input: styles.code ?? "" }}
          value={text.text}
          onChange={(event) => text.setText(event.currentTarget.value)}
        />
      ) : null}
      <TextProblems text={text} isForeign={edited?.source.origin === "claude"} />
      <div className={entries.actions}>
        <Button
          type="submit"
          variant="filled"
          disabled={text.view === null || (!edited && newAgent.name.trim() === "")}
          loading={text.busy && text.view !== null}
        >
          {edited ? "Save" : "Create"}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function Head({ title, text }: { title: string; text: ReturnType<typeof useAgentText> }) {
  return (
    <div className={styles.head}>
      <h2>{title}</h2>
      {text.view === null ? null : (
        <SegmentedControl
          aria-label="Edit as"
          data={views}
          value={text.view}
          // The control returns one of the values above.
          onChange={(view) => void text.show(view as "form" | "text").catch(() => {})}
        />
      )}
    </div>
  )
}

interface NameAndOwnerProps {
  newAgent: NewAgent
  /** The name cannot be changed. */
  fixed: boolean
  agents: DefinedAgent[]
  onChange(newAgent: NewAgent): void
}

function NameAndOwner({ newAgent, fixed, agents, onChange }: NameAndOwnerProps) {
  const taken = agents.find(({ name }) => name.toLowerCase() === newAgent.name.trim().toLowerCase())
  return (
    <>
      <div className={entries.pair}>
        <TextInput
          label="Name"
          required
          autoFocus={!fixed}
          disabled={fixed}
          placeholder="reviewer"
          value={newAgent.name}
          onChange={(event) => onChange({ ...newAgent, name: event.currentTarget.value.trim(), replaces: false })}
        />
        <ChoiceField
          label="For"
          value={newAgent.owner}
          choices={[
            { value: "project", label: "This project, in .docket/agents" },
            { value: "user", label: "You, in every project" },
          ]}
          onChange={(owner) => onChange({ ...newAgent, owner: owner === "user" ? "user" : "project" })}
        />
      </div>
      {taken && !fixed ? (
        <CheckedLine
          label={`There is an agent ${visibleText(taken.name)} already. Use this one in its place.`}
          checked={newAgent.replaces}
          onChange={(replaces) => onChange({ ...newAgent, replaces })}
        />
      ) : null}
    </>
  )
}

function TextProblems({ text, isForeign }: { text: ReturnType<typeof useAgentText>; isForeign: boolean }) {
  return (
    <>
      {isForeign ? (
        <p className={entries.meta}>Written for Claude Code: it is edited as it stands, and keeps working there.</p>
      ) : null}
      {text.view !== null && text.problems.length > 0 ? (
        <ul className={styles.problems} aria-label="What is wrong with it">
          {text.problems.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              {line === null ? "" : `Line ${line}: `}
              {visibleText(message)}
            </li>
          ))}
        </ul>
      ) : null}
      {text.failure ? (
        <p role="alert" className={entries.problem}>
          {text.failure}
        </p>
      ) : null}
    </>
  )
}
