"use client"

import { useTRPC } from "@docket/client/react"
import type { AgentOverview, DefinedAgent } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { TrustBar } from "../../../../features/project-trust/trust-bar.tsx"
import { ForProject } from "../../../../shell/for-project.tsx"
import { Can, useMe } from "../../../../shell/me.tsx"
import { PageHeader } from "../../../../shell/page-header.tsx"
import { useChosenProject } from "../../../../shell/use-chosen-project.ts"
import { EmptyState } from "../../../../ui/empty-state.tsx"
import { Loaded } from "../../../../ui/loaded.tsx"
import page from "../../../../ui/page.module.css"
import { sourceLabel } from "../settings/rule-labels.ts"
import { AgentEditor, type EditorTarget } from "./agent-editor.tsx"
import { AgentRow } from "./agent-row.tsx"
import styles from "./agents.module.css"

/** The agents of a project: their permissions and files, and where users create, change and try them. */
export function AgentsPage() {
  const chosen = useChosenProject()
  const { can } = useMe()
  const [editing, setEditing] = useState<EditorTarget | null>(null)
  const choose = (projectID: string) => {
    chosen.choose(projectID)
    setEditing(null)
  }
  return (
    <div className={page.page}>
      <PageHeader
        actions={
          <Can do="settings.manage">
            <Button
              leftSection={<Plus size={14} aria-hidden />}
              disabled={chosen.project === null || editing !== null}
              onClick={() => setEditing({ edited: null })}
            >
              New agent
            </Button>
          </Can>
        }
      >
        <h1>Agents</h1>
      </PageHeader>
      <div className={page.main}>
        {can("settings.read") ? (
          <ForProject
            chosen={{ ...chosen, choose }}
            empty={<EmptyState>Agents show here once a project is open.</EmptyState>}
          >
            {(project) => <Agents project={project} editing={editing} onEdit={setEditing} />}
          </ForProject>
        ) : (
          <EmptyState>Which agents there are, and what they may do, is shown to members of the workspace.</EmptyState>
        )}
      </div>
    </div>
  )
}

interface AgentsProps {
  project: Project
  editing: EditorTarget | null
  onEdit(target: EditorTarget | null): void
}

function Agents({ project, editing, onEdit }: AgentsProps) {
  const trpc = useTRPC()
  const overview = useQuery(trpc.agent.overview.queryOptions({ projectID: project.id }))
  return (
    <Loaded query={overview} failed="Agents cannot be listed" loading="Loading agents" rows={4} height={52}>
      {(known) => <Overview overview={known} project={project} editing={editing} onEdit={onEdit} />}
    </Loaded>
  )
}

function Overview({ overview, project, editing, onEdit }: AgentsProps & { overview: AgentOverview }) {
  const { agents, waiting, problems } = overview
  const own = agents.filter(({ native }) => !native)
  const builtin = agents.filter(({ native, hidden, sources }) => native && (!hidden || sources.length > 0))
  return (
    <>
      {editing ? (
        // Outside the lists, so that the editor stays when its agent leaves the list.
        <AgentEditor
          key={editing.edited?.source.file ?? editing.name ?? ""}
          project={project}
          agents={agents}
          {...editing}
          onClose={() => onEdit(null)}
        />
      ) : null}
      <Waiting waiting={waiting} project={project} />
      <List title="Yours and the project’s" agents={own} project={project} onEdit={onEdit}>
        None yet. An agent has a text that says how it works, and rights and a model of its own.
      </List>
      <List title="Built in" agents={builtin} project={project} onEdit={onEdit} />
      <LeftOut problems={problems} directory={project.worktree} />
    </>
  )
}

interface ListProps {
  title: string
  agents: DefinedAgent[]
  project: Project
  onEdit(target: EditorTarget): void
  children?: string
}

function List({ title, agents, project, onEdit, children }: ListProps) {
  return (
    <section className={page.section}>
      <h2 tabIndex={-1} className={page.heading}>
        {title} <span className="tabular">{agents.length}</span>
      </h2>
      {agents.length === 0 && children ? <p className={page.note}>{children}</p> : null}
      <ul aria-label={title}>
        {agents.map((agent) => (
          <AgentRow key={agent.name} agent={agent} project={project} onEdit={onEdit} />
        ))}
      </ul>
    </section>
  )
}

function Waiting({ waiting, project }: { waiting: AgentOverview["waiting"]; project: Project }) {
  if (waiting.length === 0) return null
  const names = waiting.map(({ name, file }) => `${visibleText(name)} (${sourceLabel(file, project.worktree)})`)
  return (
    <TrustBar projectID={project.id} next="main h2">
      <strong>Not in force: </strong>
      {names.join(", ")}. {waiting.length === 1 ? "It waits" : "They wait"} until you trust what this project brings.
    </TrustBar>
  )
}

function LeftOut({ problems, directory }: { problems: AgentOverview["problems"]; directory: string }) {
  if (problems.length === 0) return null
  return (
    <section className={page.section}>
      <h2 className={page.heading}>
        Files that do not count <span className="tabular">{problems.length}</span>
      </h2>
      <ul aria-label="Files that do not count">
        {problems.map(({ file, line, message }, at) => (
          <li key={at} className={styles.problem}>
            <span className={styles.file}>
              {sourceLabel(file, directory)}
              {line === null ? "" : `, line ${line}`}
            </span>
            {visibleText(message)}
          </li>
        ))}
      </ul>
    </section>
  )
}
