"use client"

import { useTRPC } from "@docket/client/react"
import type { HistoryChange, PreviewedHistory } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { PermissionConfig } from "@docket/core/schema"
import { Button, NativeSelect, Textarea } from "@mantine/core"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { PageLink } from "../../../../shell/page-link.tsx"
import { changeMessage, periods, readRules, totalMessage } from "./history-messages.ts"
import { actionLabels, askedLabel } from "./rule-labels.ts"
import settings from "./settings.module.css"
import styles from "./try-rules.module.css"

const dayMs = 86_400_000

/** Tests how other rules would have decided past actions of agents. Changes nothing. */
export function TryHistory({ projectID }: { projectID: string }) {
  const trpc = useTRPC()
  const [text, setText] = useState("")
  const [days, setDays] = useState<number | null>(periods[1].days)
  const [problem, setProblem] = useState<string | null>(null)
  const [tried, setTried] = useState<{ since: number; permission: PermissionConfig }>()
  const judged = useQuery(
    trpc.agent.judgeHistory.queryOptions(
      { projectID, ...(tried ?? { since: 0, permission: {} }) },
      { enabled: tried !== undefined, placeholderData: keepPreviousData },
    ),
  )
  return (
    <form
      className={styles.form}
      aria-label="Try other rules on the history"
      onSubmit={(event) => {
        event.preventDefault()
        const read = readRules(text)
        setProblem(read.problem)
        if (read.rules === null) return
        setTried({ since: days === null ? 0 : Date.now() - days * dayMs, permission: read.rules })
      }}
    >
      <h3 className={settings.name}>Try other rules on the history</h3>
      <p className={settings.meta}>
        As if they stood last under <code>permission</code> in your own <code>docket.json</code>.
      </p>
      <div className={styles.question}>
        <Textarea
          className={styles.text ?? ""}
          label="Rules"
          placeholder='{ "bash": { "git status *": "allow" } }'
          autosize
          minRows={1}
          maxRows={8}
          spellCheck={false}
          error={problem}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <NativeSelect
          label="on"
          data={periods.map(({ label }) => label)}
          value={periods.find((period) => period.days === days)?.label ?? ""}
          onChange={(event) => setDays(periods.find(({ label }) => label === event.currentTarget.value)?.days ?? null)}
        />
        <Button type="submit" disabled={text.trim() === ""} loading={judged.isFetching}>
          Compare
        </Button>
      </div>
      <div role="status">
        {judged.error ? <p className={settings.problem}>{judged.error.message}</p> : null}
        {judged.data && !judged.error ? <History judged={judged.data} /> : null}
      </div>
    </form>
  )
}

function History({ judged }: { judged: PreviewedHistory }) {
  return (
    <>
      <p className={styles.answer}>{totalMessage(judged)}</p>
      <p className={settings.meta}>
        {judged.judged} acts were looked at
        {judged.unknown > 0 ? `; of ${judged.unknown} calls it is not known what they would ask for` : ""}
        {judged.more ? "; there are older ones that were not" : ""}. Files that commands name are left out.
      </p>
      <ul className={styles.patterns} aria-label="What would be otherwise">
        {judged.changes.map((change) => (
          <ChangeRow
            key={JSON.stringify([change.permission, change.patterns, change.wasAsked, change.now])}
            change={change}
          />
        ))}
      </ul>
    </>
  )
}

function ChangeRow({ change }: { change: HistoryChange }) {
  const { permission, patterns, now, sessionID, rootID } = change
  const href = sessionID === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${sessionID}`
  return (
    <li className={styles.pattern}>
      <span className={styles.action} data-action={now}>
        {actionLabels[now]}
      </span>
      <span className={settings.text}>
        <span>
          {askedLabel(permission)} <code>{patterns.map(visibleText).join(", ")}</code>
        </span>
        <span className={settings.meta}>
          {changeMessage(change)}, last in <PageLink href={href}>this session</PageLink>
        </span>
      </span>
    </li>
  )
}
