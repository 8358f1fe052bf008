"use client"

import { useTRPC } from "@docket/client/react"
import type { DefinedAgent } from "@docket/core"
import type { Project, PromptPart } from "@docket/core/schema"
import { Button, Textarea } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useRouter } from "next/navigation"
import { useState } from "react"
import entries from "../../../../ui/entries.module.css"
import { useVisibility } from "../use-visibility.ts"
import { VisibilityPicker } from "../visibility-picker.tsx"
import styles from "./agents.module.css"

/** Tries an agent in a new session. A subagent cannot lead a session, so the session's agent delegates to it. */
export function RunAgent({ agent, project, onClose }: { agent: DefinedAgent; project: Project; onClose(): void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const [prompt, setPrompt] = useState("")
  const leads = agent.mode !== "subagent"
  const visibilityOfNew = useVisibility()
  const start = useMutation(
    trpc.session.start.mutationOptions({
      onSuccess({ session }) {
        void queries.invalidateQueries(trpc.session.list.pathFilter())
        router.push(`/s/${session.id}`)
      },
    }),
  )
  const run = () => {
    const text = prompt.trim()
    const description = text.slice(0, 60)
    const part: PromptPart = leads
      ? { type: "text", text }
      : { type: "subtask", agent: agent.name, prompt: text, description }
    start.mutate({
      projectID: project.id,
      parts: [part],
      ...(leads && { agent: agent.name }),
      ...(visibilityOfNew.visibility !== null && { visibility: visibilityOfNew.visibility }),
    })
  }
  return (
    <form
      className={styles.confirm}
      aria-label={`Run ${agent.name}`}
      onSubmit={(event) => {
        event.preventDefault()
        run()
      }}
    >
      <Textarea
        label={`Run ${agent.name} on`}
        description={leads ? "A new session with it." : "A new session that hands it this work."}
        required
        autoFocus
        autosize
        minRows={2}
        maxRows={8}
        value={prompt}
        onChange={(event) => setPrompt(event.currentTarget.value)}
      />
      {(start.error ?? visibilityOfNew.error) ? (
        <p role="alert" className={entries.problem}>
          {(start.error ?? visibilityOfNew.error)?.message}
        </p>
      ) : null}
      <div className={entries.actions}>
        <Button
          type="submit"
          variant="filled"
          disabled={prompt.trim() === "" || visibilityOfNew.isLoading}
          loading={start.isPending}
        >
          Run
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Close
        </Button>
        <VisibilityPicker {...visibilityOfNew} />
      </div>
    </form>
  )
}
