"use client"

import { useTRPC } from "@docket/client/react"
import type { AgentOverview, DefinedAgent } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { Plus } from "lucide-react"
import { useState } from "react"
import { lastProject, rememberProject } from "../../../../shell/last-project.ts"
import { PageHeader } from "../../../../shell/page-header.tsx"
import { ChoiceField } from "../../../../ui/choice-field.tsx"
import { EmptyState } from "../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../ui/error-state.tsx"
import page from "../../../../ui/page.module.css"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import { sourceWords } from "../settings/rule-words.ts"
import { AgentEditor, type Writing } from "./agent-editor.tsx"
import { AgentRow } from "./agent-row.tsx"
import styles from "./agents.module.css"

/** The agents of a project: what each may do and where it comes from, and where people make, change and try them. */
export function AgentsPage() {
  const trpc = useTRPC()
  const projects = useQuery(trpc.project.list.queryOptions())
  const [chosen, setChosen] = useState<string | null>(null)
  const [writing, setWriting] = useState<Writing | null>(null)
  const project = projects.data?.find(({ id }) => id === chosen) ?? lastProject(projects.data ?? [])
  return (
    <div className={page.page}>
      <PageHeader
        actions={
          <Button
            leftSection={<Plus size={14} aria-hidden />}
            disabled={!project || writing !== null}
            onClick={() => setWriting({ edited: null })}
          >
            New agent
          </Button>
        }
      >
        <h1>Agents</h1>
      </PageHeader>
      <div className={page.main}>
        {projects.data && projects.data.length > 1 && project ? (
          <div className={styles.project}>
            <ChoiceField
              label="In project"
              value={project.id}
              choices={projects.data.map(({ id, name }) => ({ value: id, label: name }))}
              onChange={(id) => {
                setChosen(id)
                rememberProject(id)
                setWriting(null)
              }}
            />
          </div>
        ) : null}
        {project ? (
          <Agents key={project.id} project={project} writing={writing} onWrite={setWriting} />
        ) : projects.isPending ? (
          <SkeletonRows count={4} height={52} label="Loading agents" />
        ) : (
          <EmptyState>Agents show here once a project is open.</EmptyState>
        )}
      </div>
    </div>
  )
}

interface AgentsProps {
  project: Project
  writing: Writing | null
  onWrite(writing: Writing | null): void
}

function Agents({ project, writing, onWrite }: AgentsProps) {
  const trpc = useTRPC()
  const overview = useQuery(trpc.agent.overview.queryOptions({ projectID: project.id }))
  if (overview.isPending) return <SkeletonRows count={4} height={52} label="Loading agents" />
  if (overview.isLoadingError)
    return (
      <ErrorState
        title="Agents cannot be listed"
        message={overview.error.message}
        onRetry={() => void overview.refetch()}
      />
    )
  const { agents, waiting, problems } = overview.data
  const own = agents.filter(({ native }) => !native)
  const builtin = agents.filter(({ native, hidden, sources }) => native && (!hidden || sources.length > 0))
  return (
    <>
      {writing ? (
        // Above the lists: what is written stays when its agent leaves them meanwhile.
        <AgentEditor
          key={writing.edited?.source.file ?? writing.name ?? ""}
          project={project}
          agents={agents}
          {...writing}
          onClose={() => onWrite(null)}
        />
      ) : null}
      <Waiting waiting={waiting} directory={project.worktree} />
      <List title="Yours and the project’s" agents={own} project={project} onWrite={onWrite}>
        None yet. An agent has a text that says how it works, and rights and a model of its own.
      </List>
      <List title="Built in" agents={builtin} project={project} onWrite={onWrite} />
      <LeftOut problems={problems} directory={project.worktree} />
    </>
  )
}

interface ListProps {
  title: string
  agents: DefinedAgent[]
  project: Project
  onWrite(writing: Writing): void
  children?: string
}

function List({ title, agents, project, onWrite, children }: ListProps) {
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>
        {title} <span className="tabular">{agents.length}</span>
      </h2>
      {agents.length === 0 && children ? <p className={page.note}>{children}</p> : null}
      <ul aria-label={title}>
        {agents.map((agent) => (
          <AgentRow key={agent.name} agent={agent} project={project} onWrite={onWrite} />
        ))}
      </ul>
    </section>
  )
}

function Waiting({ waiting, directory }: { waiting: AgentOverview["waiting"]; directory: string }) {
  if (waiting.length === 0) return null
  const names = waiting.map(({ name, file }) => `${visibleText(name)} (${sourceWords(file, directory)})`)
  return (
    <p className={styles.waiting}>
      <strong>Not in force: </strong>
      {names.join(", ")}. They wait until you trust this project’s configuration: open a session of it and look at it
      there.
    </p>
  )
}

function LeftOut({ problems, directory }: { problems: AgentOverview["problems"]; directory: string }) {
  if (problems.length === 0) return null
  return (
    <section className={styles.section}>
      <h2 className={styles.heading}>
        Files that do not count <span className="tabular">{problems.length}</span>
      </h2>
      <ul aria-label="Files that do not count">
        {problems.map(({ file, line, message }, at) => (
          <li key={at} className={styles.problem}>
            <span className={styles.file}>
              {sourceWords(file, directory)}
              {line === null ? "" : `, line ${line}`}
            </span>
            {visibleText(message)}
          </li>
        ))}
      </ul>
    </section>
  )
}
