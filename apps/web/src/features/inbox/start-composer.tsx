"use client"

import { useTRPC } from "@docket/client/react"
import type { ModelRef, Project, PromptPart } from "@docket/core/schema"
import { Button, Menu } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Check, ChevronDown, FolderOpen } from "lucide-react"
import { useRouter } from "next/navigation"
import { useRef, useState } from "react"
import { useAppActions } from "../../shell/app-actions.tsx"
import { ErrorState } from "../../ui/error-state.tsx"
import { primaryAgents } from "../composer/agent-picker.tsx"
import { Composer } from "../composer/composer.tsx"
import styles from "./inbox.module.css"

/** The prompt field of the inbox: the first prompt makes the session. */
export function StartComposer({ projects }: { projects: Project[] }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const project = projects.find((candidate) => candidate.id === chosen) ?? projects[0]
  if (!project) return null
  return (
    <StartIn
      key={project.id}
      project={project}
      lead={<ProjectMenu projects={projects} current={project} onPick={setChosen} />}
    />
  )
}

function StartIn({ project, lead }: { project: Project; lead: React.ReactNode }) {
  const trpc = useTRPC()
  const projectID = project.id
  const agents = useQuery(trpc.agent.list.queryOptions({ projectID }))
  const providers = useQuery(trpc.provider.list.queryOptions({ projectID }))
  const fallback = useQuery(trpc.provider.defaultModel.queryOptions({ projectID }))
  const [agent, setAgent] = useState<string | null>(null)
  const [model, setModel] = useState<ModelRef | null>(null)
  const names = primaryAgents(agents.data ?? []).map((candidate) => candidate.name)
  const current = agent ?? (names.includes("build") ? "build" : (names[0] ?? "build"))
  const own = agents.data?.find((candidate) => candidate.name === current)?.model ?? null
  const start = useStart({ projectID, agent: current, model })
  const error = agents.error ?? providers.error
  if (error) return <ErrorState title="The composer cannot be loaded" message={error.message} />
  return (
    <Composer
      draftKey={`start:${projectID}`}
      sessionID={null}
      project={project}
      agents={agents.data ?? []}
      agent={current}
      providers={providers.data ?? []}
      model={model ?? own ?? fallback.data ?? null}
      busy={false}
      queued={[]}
      placeholder={`Ask ${current} about ${project.name}`}
      lead={lead}
      autoFocus
      onSend={start}
      onStop={() => {}}
      onAgent={setAgent}
      onModel={setModel}
    />
  )
}

function useStart(choice: { projectID: string; agent: string; model: ModelRef | null }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const create = useMutation(trpc.session.create.mutationOptions())
  const prompt = useMutation(trpc.session.promptAsync.mutationOptions())
  /** A session whose first prompt was refused is used again for the next try. */
  const made = useRef<string | null>(null)
  return async (parts: PromptPart[]) => {
    const { projectID, agent, model } = choice
    const settings = { agent, ...(model ? { model } : {}) }
    made.current ??= (await create.mutateAsync({ projectID, ...settings })).id
    const sessionID = made.current
    await prompt.mutateAsync({ sessionID, parts, ...settings })
    made.current = null
    void queries.invalidateQueries(trpc.session.list.pathFilter())
    router.push(`/s/${sessionID}`)
  }
}

function ProjectMenu(props: { projects: Project[]; current: Project; onPick: (id: string) => void }) {
  const { openProject } = useAppActions()
  return (
    <Menu width={280} position="top-start">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          className={styles.project ?? ""}
          aria-label={`Project: ${props.current.name}`}
          rightSection={<ChevronDown size={12} aria-hidden />}
        >
          {props.current.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {props.projects.slice(0, 12).map((project) => (
          <Menu.Item
            key={project.id}
            rightSection={project.id === props.current.id ? <Check size={14} aria-label="chosen" /> : null}
            onClick={() => props.onPick(project.id)}
          >
            <span className={styles.choice}>{project.name}</span>
            <span className={styles.where}>{project.directory}</span>
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<FolderOpen size={14} />} onClick={openProject}>
          Open a project…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
