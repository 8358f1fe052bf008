"use client"

import { useTRPC } from "@docket/client/react"
import type { ListedExtension, Project } from "@docket/core/schema"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { ForProject } from "../../../../../shell/for-project.tsx"
import { useChosenProject } from "../../../../../shell/use-chosen-project.ts"
import { EmptyState } from "../../../../../ui/empty-state.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import page from "../../../../../ui/page.module.css"
import settings from "../settings.module.css"
import { SettingsHeader } from "../settings-header.tsx"
import { TrustNotice } from "../trust-notice.tsx"
import { kinds } from "./extension-messages.ts"
import { ExtensionRow } from "./extension-row.tsx"

/** The servers, plugins and hooks of a project: what each may do, what it did, and a switch. */
export function ExtensionsPage() {
  const chosen = useChosenProject()
  return (
    <div className={page.page}>
      <SettingsHeader title="Extensions" />
      <div className={page.main}>
        <p className={settings.about}>
          Programs and servers of others that give agents tools, or see and change what agents do. What a project brings
          runs only once you trust it.
        </p>
        <ForProject chosen={chosen} empty={<EmptyState>Open a project to see its extensions.</EmptyState>}>
          {(project) => <Extensions project={project} />}
        </ForProject>
      </div>
    </div>
  )
}

function Extensions({ project }: { project: Project }) {
  const trpc = useTRPC()
  const client = useQueryClient()
  const input = { projectID: project.id }
  const query = useQuery(trpc.extension.list.queryOptions(input))
  const again = () => void client.invalidateQueries({ queryKey: trpc.extension.list.queryKey(input) })
  return (
    <Loaded query={query} failed="The extensions cannot be listed" loading="Loading the extensions" rows={6}>
      {(extensions) => (
        <>
          {extensions.some(({ state, ref }) => state === "waits" && ref.projectID !== null) ? (
            <TrustNotice project={project} onClose={again}>
              Some do not run, because this project is not trusted.
            </TrustNotice>
          ) : null}
          {kinds.map(({ kind, name, empty }) => (
            <ExtensionList
              key={kind}
              name={name}
              empty={empty}
              extensions={extensions.filter(({ ref }) => ref.kind === kind)}
              project={project}
            />
          ))}
        </>
      )}
    </Loaded>
  )
}

interface ExtensionListProps {
  name: string
  empty: string
  extensions: readonly ListedExtension[]
  project: Project
}

function ExtensionList({ name, empty, extensions, project }: ExtensionListProps) {
  const id = `extensions-${name.replaceAll(" ", "-").toLowerCase()}`
  return (
    <section className={settings.section} aria-labelledby={id}>
      <h2 id={id} className={settings.heading}>
        {name}
      </h2>
      {extensions.length === 0 ? (
        <p className={settings.hint}>{empty}</p>
      ) : (
        <ul aria-labelledby={id}>
          {extensions.map((extension) => (
            <ExtensionRow
              key={`${extension.ref.projectID ?? ""} ${extension.ref.name}`}
              extension={extension}
              project={project}
            />
          ))}
        </ul>
      )}
    </section>
  )
}
