"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { ArrowUpRight } from "lucide-react"
import Link from "next/link"
import { findModel } from "../../../features/composer/model-choice.ts"
import { Can, useMe } from "../../../shell/me.tsx"
import { SkeletonRows } from "../../../ui/skeleton-rows.tsx"
import { StatusGlyph } from "../../../ui/status-glyph.tsx"
import styles from "./start-guide.module.css"

interface StartGuideProps {
  project: Project
  /** There are no sessions yet: explain Docket, and show which model answers. */
  first: boolean
  /** Puts a prompt into the field; the user sends it. */
  onTry: (prompt: string) => void
}

/** Suggests prompts for this project before the first session. */
export function StartGuide({ project, first, onTry }: StartGuideProps) {
  const trpc = useTRPC()
  const suggestions = useQuery(trpc.project.suggestions.queryOptions({ projectID: project.id }, { staleTime: 60_000 }))
  return (
    <section className={styles.guide} aria-label="To begin">
      {first ? (
        <p className={styles.lead}>
          Docket runs coding agents in <b>{project.name}</b>, shows what each of them did, and asks you before one does
          what you did not allow.
        </p>
      ) : null}
      {first ? <ModelState projectID={project.id} /> : null}
      {suggestions.isPending ? <SkeletonRows count={3} height={58} label="Looking at the project" /> : null}
      {suggestions.data && suggestions.data.length > 0 ? (
        <>
          <h2 className={styles.heading}>To try in {project.name}</h2>
          <ul className={styles.list}>
            {suggestions.data.map(({ label, prompt }) => (
              <li key={label}>
                <button type="button" className={styles.suggestion} onClick={() => onTry(prompt)}>
                  <span className={styles.label}>{label}</span>
                  <span className={styles.prompt}>{prompt}</span>
                  <ArrowUpRight size={15} aria-hidden className={styles.icon} />
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </section>
  )
}

/** The model that would answer, and how to connect one. */
function ModelState({ projectID }: { projectID: string }) {
  const trpc = useTRPC()
  const providers = useQuery(trpc.provider.list.queryOptions({ projectID }))
  const model = useQuery(trpc.provider.defaultModel.queryOptions({ projectID }))
  const { can } = useMe()
  if (!providers.data || model.isPending) return null
  const connected = providers.data.filter((provider) => provider.connected)
  const found = findModel(connected, model.data ?? null)
  if (found && !found.rehearsal)
    return (
      <p className={styles.model}>
        <StatusGlyph status="done" label="" /> {found.name} answers.{" "}
        <Can do="providers.manage">
          <Link href="/settings/models">Models are in Settings</Link>.
        </Can>
      </p>
    )
  return (
    <p className={styles.model}>
      <StatusGlyph status="needs" label="" /> No language model is connected: a rehearsal answers, which shows how
      Docket works and calls no model.{" "}
      {can("providers.manage") ? (
        <>
          <Link href="/settings/models">Connect one in Settings</Link>: save a key, or start a model server where Docket
          runs.
        </>
      ) : (
        "An admin connects one."
      )}
    </p>
  )
}
