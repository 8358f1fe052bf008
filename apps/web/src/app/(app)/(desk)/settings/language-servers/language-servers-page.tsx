"use client"

import { useTRPC } from "@docket/client/react"
import { visibleText } from "@docket/core/rule"
import type { LanguageServerState, Project } from "@docket/core/schema"
import { Button } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { ForProject } from "../../../../../shell/for-project.tsx"
import { Can } from "../../../../../shell/me.tsx"
import { useChosenProject } from "../../../../../shell/use-chosen-project.ts"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import entries from "../../../../../ui/entries.module.css"
import { Loaded } from "../../../../../ui/loaded.tsx"
import page from "../../../../../ui/page.module.css"
import { StatusGlyph } from "../../../../../ui/status-glyph.tsx"
import settings from "../settings.module.css"
import { SettingsHeader } from "../settings-header.tsx"
import { TrustNotice } from "../trust-notice.tsx"
import styles from "./language-servers.module.css"

/** The language servers of a project: which run, why others do not, and a restart. */
export function LanguageServersPage() {
  const chosen = useChosenProject()
  return (
    <div className={page.page}>
      <SettingsHeader title="Language servers" />
      <div className={page.main}>
        <p className={settings.about}>
          They check each file that an agent writes, and tell it the new errors. A server starts with the first file
          that needs it, and stops after ten minutes. <code>docket lsp</code> tells the same in a terminal.
        </p>
        <ForProject chosen={chosen} empty={<EmptyState>Open a project to see its servers.</EmptyState>}>
          {(project) => <Servers project={project} />}
        </ForProject>
      </div>
    </div>
  )
}

function Servers({ project }: { project: Project }) {
  const trpc = useTRPC()
  const query = useQuery(trpc.lsp.list.queryOptions({ projectID: project.id }))
  return (
    <Loaded query={query} failed="The servers cannot be listed" loading="Loading the servers" rows={6}>
      {(servers) =>
        servers.every(({ state }) => state === "disabled") ? (
          <EmptyState>{visibleText(servers[0]?.reason ?? "This service has no language servers.")}</EmptyState>
        ) : (
          <>
            {servers.some(({ state }) => state === "refused") ? <Refused project={project} /> : null}
            <ServerList
              name="Installed"
              servers={servers.filter(({ state }) => state !== "absent")}
              project={project}
              empty="No language server is installed."
            />
            <ServerList
              name="Not installed"
              servers={servers.filter(({ state }) => state === "absent")}
              project={project}
              empty="Every server that Docket knows is installed."
            />
          </>
        )
      }
    </Loaded>
  )
}

/** Some may not run: trusting the project lets them. */
function Refused({ project }: { project: Project }) {
  const client = useQueryClient()
  const trpc = useTRPC()
  const again = () => void client.invalidateQueries({ queryKey: trpc.lsp.list.queryKey({ projectID: project.id }) })
  return (
    <TrustNotice project={project} onClose={again}>
      Some servers do not run, because this project is not trusted.
    </TrustNotice>
  )
}

interface ServerListProps {
  name: string
  servers: readonly LanguageServerState[]
  project: Project
  empty: string
}

function ServerList({ name, servers, project, empty }: ServerListProps) {
  const id = `servers-${name.replaceAll(" ", "-").toLowerCase()}`
  return (
    <section className={settings.section} aria-labelledby={id}>
      <h2 id={id} className={settings.heading}>
        {name}
      </h2>
      {servers.length === 0 ? (
        <p className={settings.hint}>{empty}</p>
      ) : (
        <ul aria-labelledby={id}>
          {servers.map((server) => (
            <ServerRow key={server.id} server={server} project={project} />
          ))}
        </ul>
      )}
    </section>
  )
}

const glyphs = {
  running: { status: "done", label: "Running" },
  starting: { status: "running", label: "Starting" },
  ready: { status: "queued", label: "Starts when needed" },
  failed: { status: "failed", label: "Failed" },
  refused: { status: "stopped", label: "Not allowed" },
  disabled: { status: "stopped", label: "Turned off" },
  absent: { status: "stopped", label: "Not installed" },
} as const satisfies Record<LanguageServerState["state"], { status: string; label: string }>

function ServerRow({ server, project }: { server: LanguageServerState; project: Project }) {
  const { id, state, extensions, program, running, reason } = server
  const facts = [
    glyphs[state].label,
    extensions.join(" "),
    ...running.map(({ pid, files }) => `process ${pid}, ${files} ${files === 1 ? "file" : "files"} open`),
  ]
  return (
    <li className={styles.server}>
      <StatusGlyph {...glyphs[state]} />
      <span className={settings.text}>
        <span className={settings.name}>{visibleText(id)}</span>
        <span className={settings.meta}>{visibleText(facts.join(" · "))}</span>
        {program === null ? null : <code className={settings.meta}>{visibleText(program)}</code>}
        {reason === null ? null : <span className={settings.meta}>{visibleText(reason)}</span>}
      </span>
      {running.length > 0 || state === "failed" ? (
        <Can do="settings.manage">
          <span className={entries.actions}>
            <Restart id={id} project={project} />
          </span>
        </Can>
      ) : null}
    </li>
  )
}

function Restart({ id, project }: { id: string; project: Project }) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const restart = useMutation(
    trpc.lsp.restart.mutationOptions({
      onSuccess: () => client.invalidateQueries({ queryKey: trpc.lsp.list.queryKey({ projectID: project.id }) }),
    }),
  )
  return (
    <Button
      disabled={restart.isPending}
      aria-label={`Restart ${id}`}
      onClick={() => restart.mutate({ projectID: project.id, server: id })}
    >
      Restart
    </Button>
  )
}
