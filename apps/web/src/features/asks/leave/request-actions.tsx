"use client"

import type { PermissionRequest } from "@docket/core/schema"
import { Button, NativeSelect } from "@mantine/core"
import { lazy, type MouseEvent } from "react"
import { loadPart } from "../../../ui/load-part.ts"
import { PartPlace } from "../../../ui/part-place.tsx"
import styles from "../ask-card.module.css"
import { scopeLabels } from "./always-scopes.ts"
import { ReasonForm } from "./reason-form.tsx"
import { RememberLine } from "./remember-line.tsx"
import type { Reply } from "./use-reply.ts"

const RememberForm = lazy(() =>
  loadPart(() => import("./remember-form.tsx").then((module) => ({ default: module.RememberForm }))),
)

/** Ignores the second press of a double click, which would answer the next request. */
const onFirst = (answer: () => void) => (event: MouseEvent) => {
  if (event.detail < 2) answer()
}

interface ActionsProps {
  request: PermissionRequest
  reply: Reply
  /** The request comes from a task, not from the root session. */
  isOfTask: boolean
}

/** The answer buttons of a request, and the patterns for "always". */
export function RequestActions({ request, reply, isOfTask }: ActionsProps) {
  const { reason, setReason } = reply
  return (
    <div className={styles.actions}>
      {reason !== null ? (
        <ReasonForm
          reason={reason}
          pending={reply.pending}
          onChange={setReason}
          onCancel={() => setReason(null)}
          onSend={() => reply.reject(reason.trim())}
        />
      ) : reply.typed !== null ? (
        <>
          <PartPlace>
            <RememberForm request={request} reply={reply} />
          </PartPlace>
          <AlwaysButtons reply={reply} isOfTask={isOfTask} />
          <Button variant="subtle" color="gray" onClick={() => reply.setTyped(null)}>
            Back
          </Button>
        </>
      ) : (
        <>
          <Button variant="filled" aria-keyshortcuts="Alt+Y" disabled={reply.pending} onClick={onFirst(reply.once)}>
            Allow once
          </Button>
          {reply.hasPatterns ? <AlwaysButtons reply={reply} isOfTask={isOfTask} /> : null}
          <div className={styles.refusals}>
            <Button aria-keyshortcuts="Alt+N" disabled={reply.pending} onClick={onFirst(() => reply.reject())}>
              Reject
            </Button>
            <Button variant="subtle" color="gray" disabled={reply.pending} onClick={() => setReason("")}>
              Reject with a message
            </Button>
          </div>
          <RememberLine request={request} reply={reply} />
        </>
      )}
      {reply.error ? (
        <p role="alert" className={styles.problem}>
          {reply.error.message}
        </p>
      ) : null}
    </div>
  )
}

function AlwaysButtons({ reply, isOfTask }: Pick<ActionsProps, "reply" | "isOfTask">) {
  const isChoice = reply.scopes.length > 1
  return (
    <>
      {isOfTask ? (
        <Button aria-keyshortcuts="Alt+T" disabled={reply.pending} onClick={onFirst(() => reply.always("task"))}>
          Always for this task
        </Button>
      ) : null}
      <Button aria-keyshortcuts="Alt+A" disabled={reply.pending} onClick={onFirst(() => reply.always(reply.scope))}>
        {/* With several scopes, the list beside the button shows the scope. */}
        <span>
          Always <span className={isChoice ? "visually-hidden" : ""}>{scopeLabels[reply.scope]}</span>
        </span>
      </Button>
      {isChoice ? <ScopeSelect reply={reply} /> : null}
    </>
  )
}

/** The list of scopes for "always". */
function ScopeSelect({ reply }: Pick<ActionsProps, "reply">) {
  return (
    <NativeSelect
      className={styles.scope ?? ""}
      aria-label="How far “always” reaches"
      aria-keyshortcuts="Alt+W"
      data={reply.scopes.map((value) => ({ value, label: scopeLabels[value] }))}
      value={reply.scope}
      onChange={(event) => {
        const chosen = reply.scopes.find((scope) => scope === event.currentTarget.value)
        if (chosen !== undefined) reply.setScope(chosen)
      }}
    />
  )
}
