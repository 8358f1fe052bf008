"use client"

import { useTRPC } from "@docket/client/react"
import type { EffectiveConfig } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { NativeSelect, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { lastProject } from "../../../../../shell/last-project.ts"
import { PageHeader } from "../../../../../shell/page-header.tsx"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import { ErrorState } from "../../../../../ui/error-state.tsx"
import page from "../../../../../ui/page.module.css"
import { SkeletonRows } from "../../../../../ui/skeleton-rows.tsx"
import { StatusGlyph } from "../../../../../ui/status-glyph.tsx"
import settings from "../settings.module.css"
import styles from "./config.module.css"
import { configSections, fileWords, keyWords, originWords, stateWords } from "./config-words.ts"

/** Every value that counts in a project, with the file and line that sets it; files change it, this page only tells. */
export function ConfigPage() {
  const trpc = useTRPC()
  const projects = useQuery(trpc.project.list.queryOptions())
  const [chosen, setChosen] = useState<string | null>(null)
  const project = projects.data?.find(({ id }) => id === chosen) ?? lastProject(projects.data ?? [])
  return (
    <div className={page.page}>
      <PageHeader>
        <h1>Configuration</h1>
      </PageHeader>
      <div className={page.main}>
        <p className={`${page.note} ${styles.order}`}>
          What stands nearer wins: your own files, then the project’s from its top down, then the environment and the
          command line. <code>docket config</code> tells the same in a terminal. No secret is shown.
        </p>
        {(projects.data ?? []).length > 1 && project ? (
          <NativeSelect
            label="In project"
            data={(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            value={project.id}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
        ) : null}
        {projects.isPending ? (
          <SkeletonRows count={6} label="Loading the configuration" />
        ) : (
          <Effective key={project?.id} project={project ?? null} />
        )}
      </div>
    </div>
  )
}

function Effective({ project }: { project: Project | null }) {
  const trpc = useTRPC()
  const config = useQuery(trpc.config.effective.queryOptions(project ? { projectID: project.id } : {}))
  const [wanted, setWanted] = useState("")
  if (config.isPending) return <SkeletonRows count={6} label="Loading the configuration" />
  if (config.isLoadingError)
    return (
      <ErrorState
        title="The configuration cannot be read"
        message={config.error.message}
        onRetry={() => void config.refetch()}
      />
    )
  const directory = project?.worktree ?? null
  return (
    <>
      <Problems problems={config.data.problems} />
      <Files files={config.data.files} directory={directory} />
      <TextInput
        label="Find a value"
        placeholder="Key, value or file"
        className={styles.find ?? ""}
        value={wanted}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Values values={config.data.values} wanted={wanted} directory={directory} />
    </>
  )
}

function Values({
  values,
  wanted,
  directory,
}: Pick<EffectiveConfig, "values"> & { wanted: string; directory: string | null }) {
  const sections = configSections(values, wanted)
  if (sections.length === 0) return <EmptyState>Nothing that counts is called like this.</EmptyState>
  return sections.map(({ name, values }) => (
    <section key={name} className={settings.section} aria-labelledby={`config-${name}`}>
      <h2 id={`config-${name}`} className={settings.heading}>
        {visibleText(name)}
      </h2>
      <ul>
        {values.map((value) => (
          <li key={`${value.path.join("\0")} ${value.value}`} className={styles.value}>
            <code className={styles.key}>{keyWords(value)}</code>
            <code className={styles.text}>{visibleText(value.value)}</code>
            <span className={styles.from}>{originWords(value.from, directory)}</span>
          </li>
        ))}
      </ul>
    </section>
  ))
}

function Files({ files, directory }: Pick<EffectiveConfig, "files"> & { directory: string | null }) {
  return (
    <section className={settings.section} aria-labelledby="config-files">
      <h2 id="config-files" className={settings.heading}>
        Read, in this order
      </h2>
      {files.length === 0 ? (
        <p className={settings.hint}>
          No file is there: all that counts is Docket’s default. Your own goes into{" "}
          <code>~/.config/docket/docket.json</code>.
        </p>
      ) : (
        <ol>
          {files.map((file) => (
            <li key={file.file} className={settings.line}>
              <StatusGlyph status={file.counts ? "done" : "queued"} label={file.counts ? stateWords(file) : ""} />
              <span className={settings.text}>
                <code className={styles.text}>{fileWords(file, directory)}</code>
                {file.counts ? null : <span className={settings.meta}>{stateWords(file)}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Problems({ problems }: Pick<EffectiveConfig, "problems">) {
  if (problems.length === 0) return null
  return (
    <section className={settings.section} aria-labelledby="config-problems">
      <h2 id="config-problems" className={settings.heading}>
        Left out or wrong
      </h2>
      <ul className={settings.problems}>
        {problems.map(({ file, line, column, message }) => (
          <li key={`${file}:${line}:${column}:${message}`}>
            <code className={styles.text}>
              {visibleText([file, line, column].filter((part) => part !== null).join(":"))}
            </code>
            <p>{visibleText(message)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
