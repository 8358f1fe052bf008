"use client"

import { useTRPC } from "@docket/client/react"
import type { ExplainedAgent, PreviewedAct } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { Button, NativeSelect, TextInput } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { actionLabels, askedLabel, decisionMessage, trialActs } from "./rule-labels.ts"
import settings from "./settings.module.css"
import styles from "./try-rules.module.css"

interface TryRulesProps {
  projectID: string
  directory: string
  agents: readonly ExplainedAgent[]
}

/** Tests how the rules decide an action of an agent, without performing it. The answer names the deciding rule. */
export function TryRules({ projectID, directory, agents }: TryRulesProps) {
  const trpc = useTRPC()
  const [agent, setAgent] = useState(agents[0]?.name ?? "")
  // The agent that delegates to a subagent; empty for the first that can.
  const [under, setUnder] = useState("")
  const [permission, setPermission] = useState("bash")
  const [text, setText] = useState("")
  const [tried, setTried] = useState<{ agent: string; under: string | null; permission: string; text: string }>()
  const judged = useQuery(
    trpc.agent.judge.queryOptions(
      { projectID, ...(tried ?? { agent, permission, text: "-" }) },
      { enabled: tried !== undefined, placeholderData: keepPreviousData },
    ),
  )
  const delegators = agents.filter(({ mode }) => mode !== "subagent" || agents.length === 1)
  const isSubagent = agents.find(({ name }) => name === agent)?.mode === "subagent"
  const act = trialActs.find(({ value }) => value === permission)
  return (
    <form
      className={styles.form}
      aria-label="Try the rules"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() === "") return
        setTried({ agent, under: isSubagent ? under || (delegators[0]?.name ?? null) : null, permission, text })
      }}
    >
      <h3 className={settings.name}>Try the rules</h3>
      <div className={styles.question}>
        <NativeSelect
          label="May"
          data={agents.map(({ name }) => name)}
          value={agent}
          onChange={(event) => setAgent(event.currentTarget.value)}
        />
        {isSubagent ? (
          <NativeSelect
            label="working for"
            data={delegators.map(({ name }) => name)}
            value={under || delegators[0]?.name}
            onChange={(event) => setUnder(event.currentTarget.value)}
          />
        ) : null}
        <NativeSelect
          label="do this"
          data={trialActs.map(({ value, label }) => ({ value, label }))}
          value={permission}
          onChange={(event) => setPermission(event.currentTarget.value)}
        />
        <TextInput
          className={styles.text ?? ""}
          label="What"
          placeholder={act?.example}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" disabled={text.trim() === ""} loading={judged.isFetching}>
          Try
        </Button>
      </div>
      <div role="status">
        {judged.error ? <p className={settings.problem}>{judged.error.message}</p> : null}
        {judged.data && !judged.error ? <Answer judged={judged.data} directory={directory} /> : null}
      </div>
    </form>
  )
}

function Answer({ judged: { action, patterns, refused }, directory }: { judged: PreviewedAct; directory: string }) {
  return (
    <>
      <p className={styles.answer} data-action={action}>
        {actionLabels[action]}
      </p>
      {refused === null ? null : <p className={settings.meta}>{visibleText(refused)}</p>}
      <ul className={styles.patterns}>
        {patterns.map((judged, index) => (
          <li key={index} className={styles.pattern}>
            <span className={styles.action} data-action={judged.action}>
              {actionLabels[judged.action]}
            </span>
            <span className={settings.text}>
              <span>
                {askedLabel(judged.permission)} <code>{visibleText(judged.pattern)}</code>
              </span>
              <span className={settings.meta}>{decisionMessage(judged, directory)}</span>
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
