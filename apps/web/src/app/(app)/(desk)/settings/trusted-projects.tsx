"use client"

import { useTRPC } from "@docket/client/react"
import type { TrustedDirectory } from "@docket/core"
import type { Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { LazyTrustDialog } from "../../../../features/project-trust/lazy-trust-dialog.tsx"
import { trustSentence, waitsForTrust } from "../../../../features/project-trust/trust-words.ts"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { showProblem } from "../../../../shell/show-problem.ts"
import { ErrorState } from "../../../../ui/error-state.tsx"
import { RelativeTime } from "../../../../ui/relative-time.tsx"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import { StatusGlyph } from "../../../../ui/status-glyph.tsx"
import styles from "./settings.module.css"

const on = new Intl.DateTimeFormat("en", { dateStyle: "medium" })

/** Projects whose configuration waits for trust, and where it is given. */
export function TrustedProjects() {
  const trpc = useTRPC()
  const [looking, setLooking] = useState<string | null>(null)
  const projects = useQuery(trpc.project.list.queryOptions())
  const reports = useQueries({
    queries: (projects.data ?? []).map(({ id }) => trpc.config.get.queryOptions({ projectID: id })),
  })
  const trusted = useQuery(trpc.config.trusted.queryOptions())
  if (trusted.isLoadingError)
    return (
      <ErrorState
        title="Trusted projects cannot be listed"
        message={trusted.error.message}
        onRetry={() => void trusted.refetch()}
      />
    )
  if (trusted.isPending) return <SkeletonRows count={1} height={44} label="Loading trusted projects" />
  const waiting = (projects.data ?? []).flatMap((project, index) => {
    const trust = reports[index]?.data?.trust
    return trust && waitsForTrust(trust) ? [{ project, trust }] : []
  })
  return (
    <>
      <ul>
        {waiting.map(({ project, trust }) => (
          <Waiting
            key={project.id}
            project={project}
            sentence={trustSentence("It", trust)}
            onLook={() => setLooking(project.id)}
          />
        ))}
        {trusted.data.map((it) => (
          <Trusted
            key={it.directory}
            trusted={it}
            changed={waiting.some(({ trust }) => trust.directory === it.directory)}
          />
        ))}
      </ul>
      {trusted.data.length === 0 ? (
        <p className={styles.hint}>
          You trust nothing that a project brings. Without trust it can only make permissions stricter.
        </p>
      ) : null}
      {looking === null ? null : <LazyTrustDialog projectID={looking} next="#trust" onClose={() => setLooking(null)} />}
    </>
  )
}

function Waiting({ project, sentence, onLook }: { project: Project; sentence: string; onLook: () => void }) {
  return (
    <li className={styles.provider}>
      <div className={styles.line}>
        <StatusGlyph status="needs" label="Waits for your trust" />
        <span className={styles.text}>
          <span className={styles.name}>{project.name}</span>
          <span className={styles.meta}>
            {project.directory} · {sentence}
          </span>
        </span>
        <Button aria-label={`Look at what ${project.name} brings`} onClick={onLook}>
          Look at it
        </Button>
      </div>
    </li>
  )
}

/** `changed`: what was trusted is not what the directory configures now. */
function Trusted({ trusted: { directory, time }, changed }: { trusted: TrustedDirectory; changed: boolean }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const revoke = useMutation(trpc.config.revokeDirectory.mutationOptions({ onError: showProblem }))
  const takeBack = async () => {
    await revoke.mutateAsync({ directory })
    announce("Trust taken back")
    // The button goes with its row.
    document.getElementById("trust")?.focus()
    void queries.invalidateQueries(trpc.config.pathFilter())
  }
  return (
    <li className={styles.provider}>
      <div className={styles.line}>
        <StatusGlyph status={changed ? "stopped" : "done"} label={changed ? "Trusted as it was" : "Trusted"} />
        <span className={styles.text}>
          <code className={styles.name}>{directory}</code>
          <span className={styles.meta}>
            {changed ? "Trusted as it was on" : "Trusted"} {on.format(time.trusted)} (
            <RelativeTime time={time.trusted} />)
          </span>
        </span>
        <Button
          color="red"
          variant="subtle"
          aria-label={`Revoke trust in ${directory}`}
          loading={revoke.isPending}
          onClick={() => takeBack().catch(() => {})}
        >
          Revoke
        </Button>
      </div>
    </li>
  )
}
