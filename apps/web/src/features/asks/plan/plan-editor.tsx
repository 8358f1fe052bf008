"use client"

import { docketCode } from "@docket/client"
import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import styles from "../ask-card.module.css"
import { draftEdits } from "./draft-edits.ts"
import plan from "./plan-card.module.css"

interface PlanEditorProps {
  requestID: string
  sessionID: string
  /** The plan's text when the edit began. */
  text: string
  version: string
  onClose(): void
}

/** Edits a plan's file. If the file was changed meanwhile, the other version is shown and the typed text is kept. */
export function PlanEditor({ requestID, sessionID, text, version, onClose: onEnd }: PlanEditorProps) {
  const trpc = useTRPC()
  const cache = useQueryClient()
  const query = trpc.plan.get.queryOptions({ sessionID })
  const [stored] = useState(() => draftEdits.read(requestID))
  const [typed, setTyped] = useState(stored?.typed ?? text)
  /** The version of the file that the typed text replaces. */
  const [base, setBase] = useState(stored?.base ?? version)
  /** The file's current text, if it differs from the edited version. */
  const [other, setOther] = useState<string | null>(null)
  const type = (typed: string) => {
    setTyped(typed)
    draftEdits.write(requestID, typed === text ? null : { typed, base })
  }
  const onClose = () => {
    draftEdits.write(requestID, null)
    onEnd()
  }
  const save = useMutation(
    trpc.plan.write.mutationOptions({
      onSuccess(saved) {
        cache.setQueryData(query.queryKey, saved)
        onClose()
      },
      async onError(error) {
        if (docketCode(error) !== "plan_changed") return
        const now = await cache.fetchQuery({ ...query, staleTime: 0 })
        setOther(now?.text ?? "")
        setBase(now?.version ?? "")
      },
    }),
  )
  return (
    <>
      <section className={styles.body} aria-label="Edit the plan">
        <textarea
          className={plan.editor}
          aria-label="The plan in Markdown"
          value={typed}
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: opened by a press on Edit
          autoFocus
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === "Escape" && typed === text) onClose()
          }}
        />
        {other === null ? null : (
          <details className={plan.other} open>
            <summary>The plan as it is now</summary>
            <pre className={styles.code}>{other}</pre>
          </details>
        )}
      </section>
      <div className={styles.actions}>
        <Button
          variant="filled"
          disabled={save.isPending || typed.trim() === ""}
          onClick={() => save.mutate({ sessionID, text: typed, version: base })}
        >
          {other === null ? "Save the plan" : "Replace it with mine"}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Back
        </Button>
        {save.error ? (
          <p role="alert" className={styles.problem}>
            {save.error.message}
          </p>
        ) : null}
      </div>
    </>
  )
}
