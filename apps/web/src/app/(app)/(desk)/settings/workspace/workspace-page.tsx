"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { useMe } from "../../../../../shell/me.tsx"
import { PageLink } from "../../../../../shell/page-link.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import { DoneBy } from "../../../../../ui/person.tsx"
import { RelativeTime } from "../../../../../ui/relative-time.tsx"
import { Section } from "../section.tsx"
import { TeamPage } from "../team-page.tsx"
import { AllowedOrigins } from "./allowed-origins.tsx"
import { NameForm } from "./name-form.tsx"
import { RemoveWorkspace } from "./remove-workspace.tsx"
import { Roots } from "./roots.tsx"
import { TurnsForm } from "./turns-form.tsx"
import { VisibilityChoice } from "./visibility-choice.tsx"
import { WhenRemovedChoice } from "./when-removed-choice.tsx"

/** The initial workspace of the server, which cannot be removed. */
const firstWorkspace = "local"

/** Workspace settings: everyone can see them, administrators can change them. */
export function WorkspacePage() {
  const trpc = useTRPC()
  const workspace = useQuery(trpc.workspace.get.queryOptions())
  const settings = workspace.data
  const { data: listed } = useQuery({ ...trpc.workspace.list.queryOptions(), staleTime: 60_000 })
  const current = listed?.workspaces.find(({ isCurrent }) => isCurrent)
  const { role, can, whyNot } = useMe()
  const refusal = role === null ? undefined : whyNot("limits.manage")
  const mayChange = can("limits.manage")
  return (
    <TeamPage
      title="Workspace"
      intro={
        <>
          What counts for everybody here. Keys of model providers:{" "}
          <PageLink href="/settings/models">Models and rules</PageLink>.{refusal === undefined ? "" : ` ${refusal}`}
          {settings?.by === undefined ? null : (
            <>
              {" "}
              <DoneBy did="Changed" by={settings.by} /> <RelativeTime time={settings.time.updated} />.
            </>
          )}
        </>
      }
    >
      <Loaded query={workspace} failed="The workspace cannot be shown" loading="Loading the workspace" rows={5}>
        {(settings) => (
          <>
            {current === undefined ? null : (
              <Section id="name" title="Name">
                <NameForm key={current.name} name={current.name} mayChange={mayChange} />
              </Section>
            )}
            <Section id="roots" title="Directories">
              <Roots roots={settings.roots} mayChange={mayChange} />
            </Section>
            <Section id="visibility" title="New sessions">
              <VisibilityChoice visibility={settings.visibility} mayChange={mayChange} />
            </Section>
            <Section id="turns" title="How much works at once">
              <TurnsForm key={settings.turns} turns={settings.turns} mayChange={mayChange} />
            </Section>
            <Section id="removed" title="When somebody is removed">
              <WhenRemovedChoice whenRemoved={settings.whenRemoved} mayChange={mayChange} />
            </Section>
            {can("settings.read") ? (
              <Section id="origins" title="Pages of other apps">
                <AllowedOrigins />
              </Section>
            ) : null}
            {current !== undefined && current.id !== firstWorkspace && can("workspace.remove") ? (
              <Section id="remove" title="Remove the workspace">
                <RemoveWorkspace name={current.name} />
              </Section>
            ) : null}
          </>
        )}
      </Loaded>
    </TeamPage>
  )
}
