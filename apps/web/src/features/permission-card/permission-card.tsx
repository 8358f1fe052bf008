"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import type { PermissionReply, PermissionRequest, Session } from "@docket/core/schema"
import { Button, TextInput } from "@mantine/core"
import { useMutation } from "@tanstack/react-query"
import { useEffect, useId, useState } from "react"
import { useAnnounce } from "../../shell/announcer.tsx"
import { useKeys } from "../keyboard/use-keys.ts"
import { describeRequest } from "./describe-request.ts"
import { DiffText } from "./diff-text.tsx"
import styles from "./permission-card.module.css"

/** The oldest request of the tree, with how many wait behind it. Renders nothing when there is none. */
export function PermissionCard({ requests, sessions }: { requests: PermissionRequest[]; sessions: Session[] }) {
  const [first] = requests
  if (!first) return null
  return <RequestCard key={first.id} request={first} count={requests.length} sessions={sessions} />
}

function RequestCard(props: { request: PermissionRequest; count: number; sessions: Session[] }) {
  const { request, count } = props
  const { tool, title, command, diff, path, agent } = describeRequest(request, props.sessions)
  const trpc = useTRPC()
  const announce = useAnnounce()
  const heading = useId()
  const reply = useMutation(trpc.permission.reply.mutationOptions())
  const [reason, setReason] = useState<string | null>(null)

  useEffect(() => announce(`${agent} asks for permission: ${tool}`), [announce, agent, tool])

  const answer = (kind: PermissionReply, message?: string) => {
    if (reply.isPending) return
    reply.mutate({ requestID: request.id, reply: kind, ...(message ? { message } : {}) })
  }
  useKeys({
    "Alt+KeyY": (event) => {
      event.preventDefault()
      answer("once")
    },
    "Alt+KeyA": (event) => {
      event.preventDefault()
      answer("always")
    },
    "Alt+KeyN": (event) => {
      event.preventDefault()
      answer("reject")
    },
  })

  return (
    <section className={styles.card} aria-labelledby={heading} data-permission={request.id}>
      <header className={styles.head}>
        <h2 id={heading}>
          {agent} wants to use {tool}
        </h2>
        {count > 1 ? <span className={styles.count}>1 of {count}</span> : null}
      </header>
      <div className={styles.body}>
        {path.length > 0 ? <p className={styles.from}>in {path.join(" › ")}</p> : null}
        {title ? <p className={styles.title}>{title}</p> : null}
        {command ? <pre className={styles.code}>{command}</pre> : null}
        {diff ? <DiffText diff={diff} /> : null}
      </div>
      <div className={styles.actions}>
        {reason === null ? (
          <>
            <Button variant="filled" disabled={reply.isPending} onClick={() => answer("once")}>
              Allow once
            </Button>
            <Button disabled={reply.isPending} onClick={() => answer("always")}>
              Always for this session
            </Button>
            <Button disabled={reply.isPending} onClick={() => answer("reject")}>
              Reject
            </Button>
            <Button variant="subtle" color="gray" disabled={reply.isPending} onClick={() => setReason("")}>
              Reject with a message
            </Button>
          </>
        ) : (
          <ReasonForm
            reason={reason}
            pending={reply.isPending}
            onChange={setReason}
            onCancel={() => setReason(null)}
            onSend={() => answer("reject", reason.trim())}
          />
        )}
        {request.always.length > 0 ? (
          <p className={styles.always}>
            Always covers {visibleText(request.always.join(", "))} in this session and its subagents.
          </p>
        ) : null}
        {reply.error ? (
          <p role="alert" className={styles.problem}>
            {reply.error.message}
          </p>
        ) : null}
      </div>
    </section>
  )
}

function ReasonForm(props: {
  reason: string
  pending: boolean
  onChange: (reason: string) => void
  onCancel: () => void
  onSend: () => void
}) {
  return (
    <>
      <TextInput
        className={styles.reason ?? ""}
        autoFocus
        aria-label="Why not, and what to do instead"
        placeholder="What to do instead"
        value={props.reason}
        onChange={(event) => props.onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter" && props.reason.trim() !== "") props.onSend()
          if (event.key === "Escape") props.onCancel()
        }}
      />
      <Button variant="filled" disabled={props.pending || props.reason.trim() === ""} onClick={props.onSend}>
        Reject
      </Button>
      <Button variant="subtle" color="gray" onClick={props.onCancel}>
        Back
      </Button>
    </>
  )
}
