"use client"

import { useTRPC } from "@docket/client/react"
import type { ListedTool, ToolList } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Agent, Project } from "@docket/core/schema"
import { NativeSelect } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ForProject } from "../../../../../shell/for-project.tsx"
import { useChosenProject } from "../../../../../shell/use-chosen-project.ts"
import { Loaded } from "../../../../../ui/loaded.tsx"
import page from "../../../../../ui/page.module.css"
import { StatusGlyph } from "../../../../../ui/status-glyph.tsx"
import settings from "../settings.module.css"
import { SettingsHeader } from "../settings-header.tsx"
import styles from "../try-rules.module.css"

/** The tools of an agent with a model: those that are offered, and why others are not. Read-only. */
export function ToolsPage() {
  const chosen = useChosenProject()
  return (
    <div className={page.page}>
      <SettingsHeader title="Tools" />
      <div className={page.main}>
        <p className={settings.about}>What a new session offers its model. Rules, model and configuration decide it.</p>
        <ForProject
          chosen={chosen}
          empty={<p className={settings.hint}>Tools can be listed once a project is open.</p>}
        >
          {(project) => <Agents key={project.id} project={project} />}
        </ForProject>
      </div>
    </div>
  )
}

function Agents({ project }: { project: Project }) {
  const trpc = useTRPC()
  const agents = useQuery(trpc.agent.list.queryOptions({ projectID: project.id }))
  return (
    <Loaded query={agents} failed="Agents cannot be listed" loading="Loading agents" rows={6}>
      {(known) => <ToolsOf projectID={project.id} agents={known} />}
    </Loaded>
  )
}

function ToolsOf({ projectID, agents }: { projectID: string; agents: readonly Pick<Agent, "name">[] }) {
  const trpc = useTRPC()
  const [agent, setAgent] = useState(agents[0]?.name ?? "")
  // The position of the model in `models`; empty for the agent's own.
  const [chosen, setChosen] = useState("")
  const providers = useQuery(trpc.provider.list.queryOptions({ projectID }))
  const models = (providers.data ?? []).filter(({ connected }) => connected).flatMap((provider) => provider.models)
  const model = chosen === "" ? undefined : models[Number(chosen)]
  const tools = useQuery(
    trpc.tool.list.queryOptions(
      { projectID, agent, ...(model && { model: { providerID: model.providerID, modelID: model.id } }) },
      { placeholderData: keepPreviousData },
    ),
  )
  return (
    <>
      <div className={styles.question}>
        <NativeSelect
          label="Agent"
          data={agents.map(({ name }) => name)}
          value={agent}
          onChange={(event) => setAgent(event.currentTarget.value)}
        />
        <NativeSelect
          label="Model"
          data={[
            { value: "", label: "The agent’s own" },
            ...models.map(({ name }, index) => ({ value: String(index), label: visibleText(name) })),
          ]}
          value={chosen}
          onChange={(event) => setChosen(event.currentTarget.value)}
        />
      </div>
      <Loaded query={tools} failed="Tools cannot be listed" loading="Loading tools" rows={6}>
        {(known) => (
          <>
            <p className={settings.hint}>
              With <code>{visibleText(`${known.model.providerID}/${known.model.modelID}`)}</code>
            </p>
            <Problems problems={known.problems} />
            <ul aria-label="Tools">
              {known.tools.map((tool) => (
                <ToolRow key={tool.name} tool={tool} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </>
  )
}

function Problems({ problems }: { problems: ToolList["problems"] }) {
  if (problems.length === 0) return null
  return (
    <ul aria-label="Problems of tool files">
      {problems.map(({ file, message }) => (
        <li key={`${file} ${message}`} className={settings.line}>
          <StatusGlyph status="failed" label="" />
          <span className={settings.text}>
            {visibleText(message)}
            <span className={settings.meta}>{visibleText(file)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

const words: Record<ListedTool["action"], string> = { allow: "runs unasked", ask: "asks first", deny: "is refused" }

function ToolRow({ tool: { name, permission, action, partly, withheld, lack } }: { tool: ListedTool }) {
  return (
    <li className={settings.line}>
      <StatusGlyph status={withheld === null ? "done" : "stopped"} label="" />
      <span className={settings.text}>
        <code className={settings.name}>{visibleText(name)}</code>
        <span className={settings.meta}>
          {withheld === null
            ? `Offered, and ${words[action]}${partly ? " for most things" : ""}: permission ${permission}`
            : `Not offered: ${visibleText(withheld)}`}
          {withheld === null && lack !== null ? `; ${visibleText(lack)}` : null}
        </span>
      </span>
    </li>
  )
}
