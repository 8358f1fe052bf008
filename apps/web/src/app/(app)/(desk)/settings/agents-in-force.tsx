"use client"

import { useTRPC } from "@docket/client/react"
import type { ExplainedAgent } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { ErrorState } from "../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import styles from "./agents-in-force.module.css"
import { ForProject } from "./for-project.tsx"
import { ruleWords, sourceWords } from "./rule-words.ts"
import settings from "./settings.module.css"
import { TryHistory } from "./try-history.tsx"
import { TryRules } from "./try-rules.tsx"

/** The agents of a project and the rules they work under, in words; files change them, this page only tells. */
export function AgentsInForce() {
  return (
    <>
      <ForProject empty="Agents and their rules show here once a project is open.">
        {(project) => <Agents key={project.id} project={project} />}
      </ForProject>
      <p className={settings.hint}>
        The last rule that fits decides. To change one, set <code>permission</code> or <code>agent</code> in your own{" "}
        <code>docket.json</code>, or in the project’s, which counts once you trust it. Until then it only makes rules
        stricter.
      </p>
    </>
  )
}

function Agents({ project }: { project: Project }) {
  const trpc = useTRPC()
  const agents = useQuery(trpc.agent.explain.queryOptions({ projectID: project.id }))
  const config = useQuery(trpc.config.get.queryOptions({ projectID: project.id }))
  const directory = config.data?.trust.directory ?? project.directory
  if (agents.isPending) return <SkeletonRows count={3} height={44} label="Loading agents" />
  if (agents.isLoadingError)
    return (
      <ErrorState
        title="Agents cannot be listed"
        message={agents.error.message}
        onRetry={() => void agents.refetch()}
      />
    )
  return (
    <>
      <ul>
        {agents.data.map((agent) => (
          <Agent key={agent.name} agent={agent} directory={directory} />
        ))}
      </ul>
      <TryRules projectID={project.id} directory={directory} agents={agents.data} />
      <TryHistory projectID={project.id} />
    </>
  )
}

const modes: Record<ExplainedAgent["mode"], string> = {
  primary: "You talk to it",
  subagent: "Other agents hand it work",
  all: "You talk to it, and other agents hand it work",
}

function Agent({ agent, directory }: { agent: ExplainedAgent; directory: string }) {
  const from = agent.from.map((file) => sourceWords(file, directory))
  const sources = [...(agent.native ? ["built in"] : []), ...from].join(", changed by ")
  return (
    <li className={settings.provider}>
      <details>
        <summary className={styles.summary}>
          <span className={settings.text}>
            <span className={settings.name}>{visibleText(agent.name)}</span>
            <span className={settings.meta}>{visibleText(agent.description)}</span>
            <span className={settings.meta}>
              {modes[agent.mode]}
              {agent.model === null ? "" : ` · ${visibleText(`${agent.model.providerID}/${agent.model.modelID}`)}`} ·{" "}
              {sources} · {agent.rules.length === 1 ? "1 rule" : `${agent.rules.length} rules`}
            </span>
          </span>
        </summary>
        {agent.problem === null ? null : <p className={settings.problem}>{visibleText(agent.problem)}</p>}
        <ol className={styles.rules} aria-label={`Rules of ${agent.name}`}>
          {agent.rules.map((rule, index) => (
            <li key={index} className={styles.rule}>
              <span>{ruleWords(rule)}</span>
              <span className={settings.meta}>{sourceWords(rule.from, directory)}</span>
            </li>
          ))}
        </ol>
      </details>
    </li>
  )
}
