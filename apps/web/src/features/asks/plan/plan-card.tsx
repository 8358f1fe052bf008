"use client"

import { useTRPC } from "@docket/client/react"
import { planSteps } from "@docket/core/plan-steps"
import type { PermissionRequest } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react"
import { useAnnounce } from "../../../shell/announcer.tsx"
import { useKeys } from "../../keyboard/use-keys.ts"
import { Markdown } from "../../markdown/markdown.tsx"
import { MakeTodos } from "../../todo/make-todos.tsx"
import styles from "../ask-card.module.css"
import type { RequestDescription } from "../describe-request.ts"
import { draftComments } from "./draft-comments.ts"
import { draftEdits } from "./draft-edits.ts"
import { PlanActions } from "./plan-actions.tsx"
import plan from "./plan-card.module.css"
import { PlanCommentForm } from "./plan-comment-form.tsx"
import { PlanCommentList } from "./plan-comment-list.tsx"
import { quoteOf } from "./plan-comments.ts"
import { PlanEditor } from "./plan-editor.tsx"
import { usePlanDecision } from "./use-plan-decision.ts"

interface PlanCardProps {
  request: PermissionRequest
  /** The call that submitted the plan. */
  partID: string
  shown: RequestDescription
  /** Position among the open requests, e.g. "1 of 4"; null for a single request. */
  place: string | null
  /** The list of the other open requests. */
  children: ReactNode
}

/** A submitted plan: to read, edit, comment on, and decide. */
export function PlanCard({ request, partID, shown, place, children }: PlanCardProps) {
  const { sessionID } = request
  const trpc = useTRPC()
  const announce = useAnnounce()
  const heading = useId()
  const body = useRef<HTMLElement>(null)
  const written = useQuery(trpc.plan.get.queryOptions({ sessionID }, { staleTime: 0 }))
  const decision = usePlanDecision(request)
  const [mode, setMode] = useState(() => draftMode(request.id))
  const [selected, setSelected] = useState<string | null>(null)
  const text = written.data?.text ?? ""
  const steps = useMemo(() => planSteps(text).map(({ content }) => content), [text])
  const [file = ""] = shown.act.what
  useEffect(() => announce("A plan waits for your approval"), [announce])
  useKeys({
    "Alt+KeyN": (event) => {
      event.preventDefault()
      // A key must not discard typed text.
      if (!event.repeat && mode === "read") decision.close()
    },
  })
  const backToPlan = () => setMode("read")
  /** The selection is read first, because focus in the field removes it. */
  const comment = () => {
    setSelected(selectedIn(body.current))
    setMode("comment")
  }
  return (
    <section className={`${styles.card} ${plan.card}`} aria-labelledby={heading} data-permission={request.id}>
      <header className={styles.head}>
        <h2 id={heading}>The plan is ready</h2>
        <code className={plan.file}>{file}</code>
        {place === null ? null : <span className={styles.place}>{place}</span>}
      </header>
      {children}
      {mode === "edit" && written.data ? (
        <PlanEditor
          requestID={request.id}
          sessionID={sessionID}
          text={text}
          version={written.data.version}
          onClose={backToPlan}
        />
      ) : (
        <>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
          <section ref={body} className={styles.body} tabIndex={0} aria-label="The plan">
            {written.error ? <p role="alert">{written.error.message}</p> : null}
            {written.isSuccess && written.data === null ? <p>The plan’s file is gone.</p> : null}
            <Markdown text={text} streaming={false} />
            <MakeTodos sessionID={sessionID} partID={partID} text={text} />
          </section>
          <PlanCommentList comments={decision.comments} onRemove={decision.remove} />
          {mode === "comment" ? (
            <PlanCommentForm
              requestID={request.id}
              selected={selected}
              steps={steps}
              onAdd={decision.add}
              onClose={backToPlan}
            />
          ) : (
            <PlanActions
              decision={decision}
              isShown={!written.isPending}
              onComment={comment}
              onEdit={written.data ? () => setMode("edit") : null}
            />
          )}
        </>
      )}
    </section>
  )
}

/** The mode of a stored draft, which survives a switch to another request and a reload. */
function draftMode(requestID: string): "read" | "edit" | "comment" {
  if (draftEdits.read(requestID)) return "edit"
  return draftComments.read(requestID) ? "comment" : "read"
}

function selectedIn(element: HTMLElement | null): string | null {
  const selection = window.getSelection()
  if (element === null || selection?.anchorNode == null || !element.contains(selection.anchorNode)) return null
  return quoteOf(selection.toString())
}
