"use client"

import { useTRPC } from "@docket/client/react"
import type { ModelRef, PermissionPreset, Project, PromptPart, SessionVisibility } from "@docket/core/schema"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { type ReactNode, useEffect, useState } from "react"
import { Composer } from "../../../features/composer/composer.tsx"
import { ComposerSpace } from "../../../features/composer/composer-space.tsx"
import type { Restoring } from "../../../features/composer/use-prompt-text.ts"
import { usualAgent } from "../../../features/composer/usual-agent.ts"
import { TrustNotice } from "../../../features/project-trust/trust-notice.tsx"
import { holdForPrompt, maySeekPrompt } from "../../../shell/hold-for-prompt.ts"
import { lastProject, rememberProject } from "../../../shell/last-project.ts"
import { useDeskCommands } from "../../../shell/use-desk-commands.ts"
import { ErrorState } from "../../../ui/error-state.tsx"
import { laterPart } from "../../../ui/later-part.ts"
import { OnDemand } from "../../../ui/on-demand.tsx"
import { PickerButton } from "../../../ui/picker-button.tsx"
import { useVisibility, type VisibilityOfNew } from "./use-visibility.ts"
import { VisibilityPicker } from "./visibility-picker.tsx"

const projectMenu = laterPart(() => import("./project-menu.tsx").then((it) => it.ProjectMenu))

interface StartComposerProps {
  projects: Project[]
  /** The project of the new session; null for the one used last. */
  chosen: string | null
  onChoose: (projectID: string) => void
  /** A suggested prompt that is put into the field. */
  restoring: Restoring
  /** The agent that the placeholder names, and its project, as far as the page knows before loading. */
  ask?: { projectID: string; agent: string } | null | undefined
}

/** The prompt field of a new session: the first prompt creates it. */
export function StartComposer({ projects, chosen, onChoose, restoring, ask = null }: StartComposerProps) {
  const project = projects.find((candidate) => candidate.id === chosen) ?? lastProject(projects)
  const projectID = project?.id
  useEffect(() => {
    if (projectID !== undefined) rememberProject(projectID)
  }, [projectID])
  // Kept here, so that the choice survives a change of the project.
  const visibilityOfNew = useVisibility()
  if (!project) return null
  return (
    <>
      <TrustNotice key={`trust:${project.id}`} projectID={project.id} />
      <StartIn
        key={project.id}
        project={project}
        restoring={restoring}
        visibilityOfNew={visibilityOfNew}
        asked={ask?.projectID === project.id ? ask.agent : null}
        lead={
          <OnDemand
            part={projectMenu}
            face={(open) => <PickerButton name="Project" value={project.name} onClick={open} />}
          >
            {(ProjectMenu) => <ProjectMenu projects={projects} current={project} onPick={onChoose} />}
          </OnDemand>
        }
      />
    </>
  )
}

interface StartInProps {
  project: Project
  lead: ReactNode
  restoring: Restoring
  visibilityOfNew: VisibilityOfNew
  /** The agent that will answer; null while unknown. */
  asked: string | null
}

function StartIn({ project, lead, restoring, visibilityOfNew, asked }: StartInProps) {
  const trpc = useTRPC()
  const projectID = project.id
  const agents = useQuery(trpc.agent.list.queryOptions({ projectID }))
  const providers = useQuery(trpc.provider.list.queryOptions({ projectID }))
  const defaultModel = useQuery(trpc.provider.defaultModel.queryOptions({ projectID }))
  const config = useQuery(trpc.config.get.queryOptions({ projectID }))
  // The same query as the page's own. While there are no sessions, the guide shows the state of the model.
  const sessions = useQuery(trpc.session.list.queryOptions({ limit: 50 }))
  const [agent, setAgent] = useState<string | null>(null)
  const [model, setModel] = useState<ModelRef | null>(null)
  const [variant, setVariant] = useState<string | null>(null)
  const [preset, setPreset] = useState<PermissionPreset | null>(null)
  const current = agent ?? usualAgent(config.data?.config.default_agent, agents.data ?? [])
  const agentModel = agents.data?.find((candidate) => candidate.name === current)?.model ?? null
  const desk = useDeskCommands()
  const start = useStart({ projectID, agent: current, model, variant, preset, visibility: visibilityOfNew.visibility })
  const error =
    [agents, providers, config].find((query) => query.data === undefined && query.error !== null)?.error ??
    visibilityOfNew.error
  if (error) return <ErrorState title="The composer cannot be loaded" message={error.message} />
  // Until both are loaded, the answering agent, its permissions and the session's visibility are unknown.
  if (config.isPending || visibilityOfNew.isLoading)
    return <ComposerSpace words={asked === null ? undefined : askPlaceholder(asked, project)} />
  return (
    <Composer
      draftKey={`start:${projectID}`}
      sessionID={null}
      project={project}
      agents={agents.data ?? []}
      agent={current}
      providers={providers.data ?? []}
      model={model ?? agentModel ?? defaultModel.data ?? null}
      busy={false}
      queues={false}
      connected
      queued={[]}
      takenBack={[]}
      onWithdraw={() => {}}
      placeholder={askPlaceholder(current, project)}
      lead={lead}
      modelTold={(sessions.data?.items.length ?? 0) === 0}
      restoring={restoring}
      autoFocus
      onSend={start}
      commands={desk}
      onStop={() => {}}
      onAgent={(name) => {
        setAgent(name)
        setVariant(null)
      }}
      onModel={(chosen) => {
        setModel(chosen)
        setVariant(null)
      }}
      variant={variant}
      onVariant={setVariant}
      preset={preset}
      onPreset={setPreset}
      rest={<VisibilityPicker {...visibilityOfNew} />}
    />
  )
}

function askPlaceholder(agent: string, { name }: Project): string {
  return `Ask ${agent} about ${name}`
}

interface StartChoice {
  projectID: string
  agent: string
  model: ModelRef | null
  variant: string | null
  preset: PermissionPreset | null
  visibility: SessionVisibility | null
}

function useStart(choice: StartChoice) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const start = useMutation(trpc.session.start.mutationOptions())
  return async (parts: PromptPart[]) => {
    const { projectID, agent, model, variant, preset, visibility } = choice
    // Keys that the user types meanwhile are for the prompt field of the session, not shortcuts of the page.
    const hold = maySeekPrompt() ? holdForPrompt() : null
    try {
      const { session } = await start.mutateAsync({
        projectID,
        agent,
        parts,
        ...(model && { model }),
        ...(variant !== null && { variant }),
        ...(preset !== null && { preset }),
        ...(visibility !== null && { visibility }),
      })
      void queries.invalidateQueries(trpc.session.list.pathFilter())
      const href = `/s/${session.id}`
      router.push(href)
      hold?.aimAt(href)
    } catch (error) {
      hold?.end()
      throw error
    }
  }
}
