"use client"

import { useTRPC } from "@docket/client/react"
import type { AgentSource, DefinedAgent } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useId, useState } from "react"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { useMe } from "../../../../shell/me.tsx"
import entries from "../../../../ui/entries.module.css"
import { ruleLabel, sourceLabel } from "../settings/rule-labels.ts"
import type { EditorTarget } from "./agent-editor.tsx"
import { agentFacts, editableSource, elsewhere, shownColor } from "./agent-labels.ts"
import styles from "./agents.module.css"
import { RunAgent } from "./run-agent.tsx"

interface AgentRowProps {
  agent: DefinedAgent
  project: Project
  /** Opens the editor. */
  onEdit(target: EditorTarget): void
}

/** One agent. It opens to its permissions in words, its problems, and its actions. */
export function AgentRow({ agent, project, onEdit }: AgentRowProps) {
  const [open, setOpen] = useState(false)
  const body = useId()
  const color = shownColor(agent.color)
  const hasProblem = agent.problem !== null || agent.modelProblem !== null || agent.problems.length > 0
  return (
    <li className={entries.item}>
      <button
        type="button"
        className={entries.head}
        aria-expanded={open}
        aria-controls={body}
        onClick={() => setOpen(!open)}
      >
        <span className={styles.color} data-set={color !== null} style={color === null ? {} : { background: color }} />
        <span className={entries.text}>
          <span className={styles.name}>
            {visibleText(agent.name)}
            {agent.disabled ? <span className={styles.tag}>off</span> : null}
            {agent.hidden ? <span className={styles.tag}>hidden</span> : null}
            {hasProblem ? <span className={styles.troubled}>has a problem</span> : null}
          </span>
          <span className={styles.description}>{visibleText(agent.description)}</span>
          <span className={entries.meta}>{agentFacts(agent, project.worktree)}</span>
        </span>
      </button>
      <div id={body}>{open ? <Opened agent={agent} project={project} onEdit={onEdit} /> : null}</div>
    </li>
  )
}

type Doing = "run" | "delete" | null

function Opened({ agent, project, onEdit }: AgentRowProps) {
  const [doing, setDoing] = useState<Doing>(null)
  const source = editableSource(agent)
  const close = () => setDoing(null)
  return (
    <div className={`${entries.opened} ${styles.opened}`}>
      <Problems agent={agent} directory={project.worktree} />
      <ol className={styles.rules} aria-label={`Rights of ${agent.name}`}>
        {agent.rules.map((rule, index) => (
          <li key={index} className={styles.rule}>
            <span>{ruleLabel(rule)}</span>
            <span className={entries.meta}>{sourceLabel(rule.from, project.worktree)}</span>
          </li>
        ))}
      </ol>
      <p className={entries.meta}>Of rules that fit, the last decides.</p>
      {elsewhere(agent).map(({ file, line }) => (
        <p key={file} className={entries.meta}>
          Also set in {sourceLabel(file, project.worktree)}, line {line}: change that there.
        </p>
      ))}
      {doing === "run" ? <RunAgent agent={agent} project={project} onClose={close} /> : null}
      {doing === "delete" && source !== null ? (
        <DeleteAgent agent={agent} source={source} project={project} onClose={close} />
      ) : null}
      {doing === null ? <Actions agent={agent} source={source} onDo={setDoing} onEdit={onEdit} /> : null}
    </div>
  )
}

function Actions({
  agent,
  source,
  onDo,
  onEdit,
}: Pick<AgentRowProps, "agent" | "onEdit"> & { source: AgentSource | null; onDo(what: Doing): void }) {
  const { can } = useMe()
  const mayRun = agent.problem === null && !agent.disabled && !agent.hidden
  return (
    <div className={entries.actions}>
      {mayRun && can("prompt") ? <Button onClick={() => onDo("run")}>Run on…</Button> : null}
      {!can("settings.manage") ? null : source === null ? (
        agent.native ? (
          <Button onClick={() => onEdit({ edited: null, name: agent.name })}>Change it here…</Button>
        ) : null
      ) : (
        <>
          <Button onClick={() => onEdit({ edited: { name: agent.name, source } })}>Edit</Button>
          <Button variant="subtle" color="gray" onClick={() => onDo("delete")}>
            Delete…
          </Button>
        </>
      )}
    </div>
  )
}

function Problems({ agent, directory }: { agent: DefinedAgent; directory: string }) {
  const lines = [
    ...(agent.problem === null || agent.problems.length > 0 ? [] : [visibleText(agent.problem)]),
    ...(agent.modelProblem === null ? [] : [`Its model cannot be used: ${visibleText(agent.modelProblem)}`]),
    ...agent.problems.map(({ file, line, message }) => {
      const place = line === null ? sourceLabel(file, directory) : `${sourceLabel(file, directory)}, line ${line}`
      return `${place}: ${visibleText(message)}`
    }),
  ]
  if (lines.length === 0) return null
  return (
    <ul className={styles.problems} aria-label={`Problems of ${agent.name}`}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  )
}

interface DeleteAgentProps {
  agent: DefinedAgent
  source: AgentSource
  project: Project
  onClose(): void
}

function DeleteAgent({ agent, source, project, onClose }: DeleteAgentProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const fileInput = { projectID: project.id, file: source.file }
  const removeFile = useMutation(trpc.agent.remove.mutationOptions())
  const remove = useMutation({
    // Reads the hash first, so that the file is deleted as it is at the moment of the confirmation.
    mutationFn: async () => {
      const { hash } = await queries.fetchQuery({ ...trpc.agent.file.queryOptions(fileInput), staleTime: 0 })
      return removeFile.mutateAsync({ ...fileInput, hash })
    },
    onSuccess: () => {
      announce(`Deleted ${agent.name}`)
      return queries.invalidateQueries(trpc.agent.pathFilter())
    },
  })
  return (
    <section className={styles.confirm} aria-label={`Delete ${agent.name}`}>
      <p>
        Delete {sourceLabel(source.file, project.worktree)}? The file is removed from the disk.
        {agent.native ? " The agent that ships with Docket counts again." : ""}
      </p>
      {remove.error ? (
        <p role="alert" className={entries.problem}>
          {remove.error.message}
        </p>
      ) : null}
      <div className={entries.actions}>
        <Button variant="filled" color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
          Delete
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep
        </Button>
      </div>
    </section>
  )
}
