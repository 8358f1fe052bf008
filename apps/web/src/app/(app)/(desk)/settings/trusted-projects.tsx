"use client"

import { useTRPC } from "@docket/client/react"
import type { ProjectTrust, TrustedDirectory } from "@docket/core"
import type { Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { LazyTrustDialog } from "../../../../features/project-trust/lazy-trust-dialog.tsx"
import { trustSentence, waitsForTrust } from "../../../../features/project-trust/trust-messages.ts"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { Can, useMe } from "../../../../shell/me.tsx"
import { showProblem } from "../../../../shell/show-problem.ts"
import { Loaded } from "../../../../ui/loaded.tsx"
import { RelativeTime } from "../../../../ui/relative-time.tsx"
import { StatusGlyph } from "../../../../ui/status-glyph.tsx"
import styles from "./settings.module.css"

const dateFormat = new Intl.DateTimeFormat("en", { dateStyle: "medium" })

/** Projects whose configuration waits for trust, and trusted ones. */
export function TrustedProjects() {
  const trpc = useTRPC()
  const [openProjectID, setOpenProjectID] = useState<string | null>(null)
  const projects = useQuery(trpc.project.list.queryOptions())
  const reports = useQueries({
    queries: (projects.data ?? []).map(({ id }) => trpc.config.get.queryOptions({ projectID: id })),
  })
  const trusted = useQuery(trpc.config.trusted.queryOptions())
  const waiting = (projects.data ?? []).flatMap((project, index) => {
    const trust = reports[index]?.data?.trust
    return trust && waitsForTrust(trust) ? [{ project, trust }] : []
  })
  return (
    <>
      <Loaded query={trusted} failed="Trusted projects cannot be listed" loading="Loading trusted projects">
        {(directories) => (
          <>
            <ul>
              {waiting.map(({ project, trust }) => (
                <Waiting
                  key={project.id}
                  project={project}
                  trust={trust}
                  trusted={directories.find(({ directory }) => directory === trust.directory) ?? null}
                  onLook={() => setOpenProjectID(project.id)}
                />
              ))}
              {directories
                .filter(({ directory }) => waiting.every(({ trust }) => trust.directory !== directory))
                .map((it) => (
                  <Trusted key={it.directory} trusted={it} />
                ))}
            </ul>
            {directories.length === 0 ? (
              <p className={styles.hint}>
                You trust nothing that a project brings. Without trust it can only make permissions stricter.
              </p>
            ) : null}
          </>
        )}
      </Loaded>
      {openProjectID === null ? null : (
        <LazyTrustDialog projectID={openProjectID} next="#trust" onClose={() => setOpenProjectID(null)} />
      )}
    </>
  )
}

interface WaitingProps {
  project: Project
  trust: ProjectTrust
  /** The trusted state before the last change; null for a project that was never trusted. */
  trusted: TrustedDirectory | null
  onLook: () => void
}

function Waiting({ project, trust, trusted, onLook }: WaitingProps) {
  return (
    <li className={styles.provider}>
      <div className={`${styles.line} ${styles.wraps}`}>
        <StatusGlyph status="needs" label="Waits for your trust" />
        <span className={styles.text}>
          <span className={styles.name}>{project.name}</span>
          <span className={styles.meta}>{project.directory}</span>
          <span className={styles.meta}>
            {trustSentence("It", trust)}
            {trusted === null ? null : <> You trusted it as it was on {dateFormat.format(trusted.time.trusted)}.</>}
          </span>
        </span>
        {trusted === null ? null : <Revoke directory={trusted.directory} />}
        <Can do="trust.manage">
          <Button aria-label={`Look at what ${project.name} brings`} onClick={onLook}>
            Look at it
          </Button>
        </Can>
      </div>
    </li>
  )
}

function Trusted({ trusted: { directory, time } }: { trusted: TrustedDirectory }) {
  return (
    <li className={styles.provider}>
      <div className={styles.line}>
        <StatusGlyph status="done" label="Trusted" />
        <span className={styles.text}>
          <code className={styles.name}>{directory}</code>
          <span className={styles.meta}>
            Trusted {dateFormat.format(time.trusted)} (<RelativeTime time={time.trusted} />)
          </span>
        </span>
        <Revoke directory={directory} />
      </div>
    </li>
  )
}

function Revoke({ directory }: { directory: string }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const revoke = useMutation(trpc.config.revokeDirectory.mutationOptions({ onError: showProblem }))
  const takeBack = async () => {
    await revoke.mutateAsync({ directory })
    announce("Trust taken back")
    // The button disappears with its row, so focus moves to the heading.
    document.getElementById("trust")?.focus()
    void queries.invalidateQueries(trpc.config.pathFilter())
  }
  if (!useMe().can("trust.manage")) return null
  return (
    <Button
      color="red"
      variant="subtle"
      aria-label={`Revoke trust in ${directory}`}
      loading={revoke.isPending}
      onClick={() => takeBack().catch(() => {})}
    >
      Revoke
    </Button>
  )
}
