"use client"

import { useTRPC } from "@docket/client/react"
import type { EffectiveConfig } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import type { Project } from "@docket/core/schema"
import { TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { ForProject } from "../../../../../shell/for-project.tsx"
import { useChosenProject } from "../../../../../shell/use-chosen-project.ts"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import page from "../../../../../ui/page.module.css"
import { StatusGlyph } from "../../../../../ui/status-glyph.tsx"
import settings from "../settings.module.css"
import { SettingsHeader } from "../settings-header.tsx"
import { problemsBesidesTrust } from "../waiting-entries.ts"
import styles from "./config.module.css"
import { configSections, fileLabel, keyLabel, originLabel, stateLabel } from "./config-labels.ts"
import { LeftOut } from "./left-out.tsx"

/**
 * All values in force for a project, with the file and line that set each. Read-only: values are changed in the files.
 */
export function ConfigPage() {
  const chosen = useChosenProject()
  return (
    <div className={page.page}>
      <SettingsHeader title="Configuration" />
      <div className={page.main}>
        <p className={settings.about}>
          Later ones win: your own files, the project’s from its top down, the environment, then the command line.{" "}
          <code>docket config</code> tells the same in a terminal. No secret is shown.
        </p>
        <ForProject chosen={chosen} empty={<Effective project={null} />}>
          {(project) => <Effective project={project} />}
        </ForProject>
      </div>
    </div>
  )
}

function Effective({ project }: { project: Project | null }) {
  const trpc = useTRPC()
  const input = project ? { projectID: project.id } : {}
  const config = useQuery(trpc.config.effective.queryOptions(input))
  const report = useQuery(trpc.config.get.queryOptions(input))
  const [filterText, setFilterText] = useState("")
  const directory = project?.worktree ?? null
  return (
    <Loaded query={config} failed="The configuration cannot be read" loading="Loading the configuration" rows={6}>
      {({ files, values, problems, others }) => (
        <>
          {project && report.data ? <LeftOut project={project} trust={report.data.trust} /> : null}
          <Problems problems={problemsBesidesTrust({ problems })} />
          <Files files={files} directory={directory} />
          <Others others={others} directory={directory} />
          <TextInput
            label="Find a value"
            placeholder="Key, value or file"
            className={styles.find ?? ""}
            value={filterText}
            onChange={(event) => setFilterText(event.currentTarget.value)}
          />
          <Values values={values} filterText={filterText} directory={directory} />
        </>
      )}
    </Loaded>
  )
}

function Values({
  values,
  filterText,
  directory,
}: Pick<EffectiveConfig, "values"> & { filterText: string; directory: string | null }) {
  const sections = configSections(values, filterText)
  if (sections.length === 0) return <EmptyState>No setting in force matches.</EmptyState>
  return sections.map(({ name, values }) => (
    <section key={name} className={settings.section} aria-labelledby={`config-${name}`}>
      <h2 id={`config-${name}`} className={settings.heading}>
        {visibleText(name)}
      </h2>
      <ul>
        {values.map((value) => (
          <li key={`${value.path.join("\0")} ${value.value}`} className={styles.value}>
            <code className={styles.key}>{keyLabel(value)}</code>
            <code className={styles.text}>{visibleText(value.value)}</code>
            <span className={styles.from}>{originLabel(value.from, directory)}</span>
          </li>
        ))}
      </ul>
    </section>
  ))
}

function Files({ files, directory }: Pick<EffectiveConfig, "files"> & { directory: string | null }) {
  return (
    <section className={settings.section} aria-labelledby="config-files">
      <h2 id="config-files" tabIndex={-1} className={settings.heading}>
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
              <StatusGlyph status={file.counts ? "done" : "queued"} label={file.counts ? stateLabel(file) : ""} />
              <span className={settings.text}>
                <code className={styles.text}>{fileLabel(file, directory)}</code>
                {file.counts ? null : <span className={settings.meta}>{stateLabel(file)}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function Others({ others, directory }: Pick<EffectiveConfig, "others"> & { directory: string | null }) {
  if (others.length === 0) return null
  return (
    <section className={settings.section} aria-labelledby="config-others">
      <h2 id="config-others" className={settings.heading}>
        Of other programs
      </h2>
      <ul>
        {others.map(({ file, state, words }) => (
          <li key={`${file} ${words}`} className={settings.line}>
            <StatusGlyph {...otherGlyphs[state]} />
            <span className={settings.text}>
              <code className={styles.text}>{fileLabel({ layer: "project", file }, directory)}</code>
              <span className={settings.meta}>{words.replaceAll("`", "")}</span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const otherGlyphs = {
  used: { status: "done", label: "Used" },
  denials: { status: "done", label: "Its denials count" },
  waits: { status: "queued", label: "Waits for trust" },
  ignored: { status: "stopped", label: "Ignored" },
} as const

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
