"use client"

import { useTRPC } from "@docket/client/react"
import { useQueries, useQuery } from "@tanstack/react-query"
import { useMe } from "../../../../shell/me.tsx"
import { PageLink } from "../../../../shell/page-link.tsx"
import { ErrorState } from "../../../../ui/error-state.tsx"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import { StatusGlyph } from "../../../../ui/status-glyph.tsx"
import styles from "./settings.module.css"
import { problemsBesidesTrust, waitingMessage } from "./waiting-entries.ts"

/** The config files of all projects, with their problems. */
export function ConfigProblems() {
  const trpc = useTRPC()
  const { can } = useMe()
  const decider = can("trust.manage") ? "your trust" : "an administrator’s trust"
  const projects = useQuery(trpc.project.list.queryOptions())
  const reports = useQueries({
    queries: [
      trpc.config.get.queryOptions({}),
      ...(projects.data ?? []).map((project) => trpc.config.get.queryOptions({ projectID: project.id })),
    ],
  })
  const failed = reports.find((report) => report.isLoadingError)
  if (failed?.error) return <ErrorState title="The configuration cannot be read" message={failed.error.message} />
  if (reports.some((report) => report.isPending)) return <SkeletonRows count={2} label="Loading the configuration" />
  const files = [...new Set(reports.flatMap((report) => report.data?.files ?? []))]
  const problems = new Map(
    reports
      .flatMap((report) => (report.data ? problemsBesidesTrust(report.data) : []))
      .map((problem) => [`${problem.file}:${problem.line}:${problem.column}:${problem.message}`, problem]),
  )
  // The first report has no project.
  const waiting = (projects.data ?? []).flatMap((project, index) => {
    const trust = reports[index + 1]?.data?.trust
    const words = trust ? waitingMessage(trust) : ""
    return words === "" ? [] : [{ project, words, directory: trust?.directory ?? project.directory }]
  })
  const stateOf = (file: string) => {
    if ([...problems.values()].some((problem) => problem.file === file)) return ["failed", "Has problems"] as const
    if (waiting.some(({ directory }) => file.startsWith(`${directory}/`)))
      return ["queued", `Waits for ${decider}`] as const
    return ["done", "Read"] as const
  }
  return (
    <>
      {waiting.map(({ project, words }) => (
        <p key={project.id} className={styles.note}>
          {project.name} waits for {decider} with {words}: none of that counts yet.{" "}
          <a href="#trust">Look at it under Trusted projects</a>
        </p>
      ))}
      {problems.size > 0 ? (
        <ul className={styles.problems}>
          {[...problems].map(([key, problem]) => (
            <li key={key}>
              <code>
                {problem.file}
                {problem.line === null ? "" : `:${problem.line}`}
                {problem.column === null ? "" : `:${problem.column}`}
              </code>
              <p>{problem.message}</p>
            </li>
          ))}
        </ul>
      ) : null}
      <p>
        <PageLink href="/settings/config">All that counts</PageLink>: each value, and the file and line that sets it.
      </p>
      {files.length === 0 ? (
        <p className={styles.hint}>
          No <code>docket.json</code> was found.{" "}
          {can("settings.manage") ? (
            <>
              Put your own into <code>~/.config/docket</code> to set models, agents and permissions; one of a project
              counts once you trust it.
            </>
          ) : (
            "All that counts is Docket’s default."
          )}
        </p>
      ) : (
        <ul>
          {files.map((file) => {
            const [status, label] = stateOf(file)
            return (
              <li key={file} className={styles.line}>
                <StatusGlyph status={status} label={label} />
                <span className={styles.text}>
                  <code>{file}</code>
                  {status === "queued" ? <span className={styles.meta}>{label}</span> : null}
                </span>
              </li>
            )
          })}
        </ul>
      )}
    </>
  )
}
