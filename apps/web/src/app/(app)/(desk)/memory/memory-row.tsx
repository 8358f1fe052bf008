"use client"

import { useTRPC } from "@docket/client/react"
import type { Memory } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation, useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { useState } from "react"
import { Can } from "../../../../shell/me.tsx"
import { useDone } from "../../../../shell/use-done.ts"
import entries from "../../../../ui/entries.module.css"
import { ByPerson } from "../../../../ui/person.tsx"
import { RelativeTime } from "../../../../ui/relative-time.tsx"
import styles from "./memory.module.css"
import { MemoryForm } from "./memory-form.tsx"

/** One memory entry. It opens to its text and actions. */
export function MemoryRow({ memory }: { memory: Memory }) {
  const [open, setOpen] = useState(false)
  const [editing, setEditing] = useState(false)
  const holds = memory.invalidatedAt === null
  if (editing)
    return (
      <li className={entries.item}>
        <MemoryForm memory={memory} onClose={() => setEditing(false)} />
      </li>
    )
  return (
    <li className={`${entries.item} ${styles.entry}`} data-holds={holds}>
      <button type="button" className={entries.head} aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className={styles.type}>{memory.type}</span>
        <span className={`${entries.text} ${styles.words}`}>
          <span className={styles.title}>{memory.title}</span>
          {open ? null : <span className={styles.excerpt}>{memory.content}</span>}
        </span>
        <span className={styles.time}>
          <RelativeTime time={memory.time.updated} />
        </span>
      </button>
      {open ? <Opened memory={memory} holds={holds} onEdit={() => setEditing(true)} /> : null}
    </li>
  )
}

function Opened({ memory, holds, onEdit }: { memory: Memory; holds: boolean; onEdit(): void }) {
  const { invalidate, remove } = useMemoryActions(memory)
  return (
    <div className={styles.opened}>
      <p className={entries.message}>{memory.content}</p>
      <Origin memory={memory} />
      <div className={entries.actions}>
        {holds ? (
          <Can do="memory.edit">
            <Button onClick={onEdit}>Edit</Button>
            <Button onClick={invalidate}>No longer holds</Button>
          </Can>
        ) : (
          <span className={entries.meta}>It no longer holds; agents do not see it.</span>
        )}
        <Can do="memory.edit">
          <Button variant="subtle" color="red" onClick={remove}>
            Delete
          </Button>
        </Can>
      </div>
    </div>
  )
}

function Origin({ memory }: { memory: Memory }) {
  const trpc = useTRPC()
  const projects = useQuery(trpc.project.list.queryOptions())
  const project = projects.data?.find(({ id }) => id === memory.projectID)
  return (
    <p className={entries.meta}>
      #{memory.number}
      {memory.agent === null ? "" : ` · by @${memory.agent}`}
      {memory.agent === null && memory.by ? (
        <>
          {" · "}
          <ByPerson by={memory.by} />
        </>
      ) : null}
      {memory.source === "" ? "" : ` · from ${memory.source}`}
      {project ? ` · ${project.name}` : memory.sessionID === null ? " · every project" : ""}
      {memory.sessionID === null ? null : (
        <>
          {" · "}
          <Link href={`/s/${memory.sessionID}`}>its session</Link>
        </>
      )}
      {memory.tags.map((tag) => (
        <span key={tag} className={styles.tag}>
          {tag}
        </span>
      ))}
    </p>
  )
}

function useMemoryActions(memory: Memory) {
  const trpc = useTRPC()
  const done = useDone(trpc.memory.pathFilter())
  const invalidate = useMutation(trpc.memory.invalidate.mutationOptions(done("It no longer holds")))
  const remove = useMutation(trpc.memory.remove.mutationOptions(done("Deleted")))
  return {
    invalidate: () => invalidate.mutate({ memory: memory.id }),
    remove: () => remove.mutate({ memory: memory.id }),
  }
}
