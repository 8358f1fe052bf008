"use client"

import { useTRPC } from "@docket/client/react"
import { Button } from "@mantine/core"
import { useMutation, useQueries, useQuery, useQueryClient } from "@tanstack/react-query"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { Can, useMe } from "../../../../shell/me.tsx"
import { PageHeader } from "../../../../shell/page-header.tsx"
import { PageLink } from "../../../../shell/page-link.tsx"
import { showProblem } from "../../../../shell/show-problem.ts"
import { ErrorState } from "../../../../ui/error-state.tsx"
import page from "../../../../ui/page.module.css"
import { SkeletonRows } from "../../../../ui/skeleton-rows.tsx"
import { AlwaysAllowed } from "./always-allowed.tsx"
import { BrowserSections } from "./browser-sections.tsx"
import { CatalogueDates } from "./catalogue-dates.tsx"
import { ConfigProblems } from "./config-problems.tsx"
import { providerGroups, withProjects } from "./provider-groups.ts"
import { ProviderPackages } from "./provider-packages.tsx"
import { ProviderRow } from "./provider-row.tsx"
import { Rules } from "./rules.tsx"
import { SandboxLimits } from "./sandbox-limits.tsx"
import { SandboxState } from "./sandbox-state.tsx"
import { Section } from "./section.tsx"
import styles from "./settings.module.css"
import frame from "./settings-frame.module.css"
import { SettingsHeader } from "./settings-header.tsx"
import { SettingsList } from "./settings-list.tsx"
import { TextsInForce } from "./texts-in-force.tsx"
import { TrustedProjects } from "./trusted-projects.tsx"

/**
 * Providers, shares, trusted projects, always-allowed permissions, the sandbox, config problems, rules, instructions
 * and skills; without accounts also the settings of this browser.
 */
export function SettingsPage({ isTeam }: { isTeam: boolean }) {
  return (
    <div className={page.page}>
      {isTeam ? (
        <SettingsHeader title="Models and rules" />
      ) : (
        <PageHeader>
          <h1>Settings</h1>
        </PageHeader>
      )}
      <div className={page.main}>
        {isTeam ? null : (
          <div className={frame.phoneList}>
            <SettingsList isTeam={false} />
          </div>
        )}
        <Providers />
        <Section id="shares" title="Shares">
          <p>
            <PageLink href="/settings/shares">My shares</PageLink>: every link, who opened it, and how to end it.
          </p>
        </Section>
        <Can do="settings.read">
          <Section id="packages" title="Provider packages">
            <ProviderPackages />
          </Section>
          <Section id="trust" title="Trusted projects">
            <TrustedProjects />
          </Section>
        </Can>
        <Section id="grants" title="Always allowed">
          <AlwaysAllowed />
        </Section>
        <Section id="sandbox" title="Sandbox">
          <SandboxState />
          <Can do="settings.read">
            <SandboxLimits />
          </Can>
        </Section>
        <Can do="settings.read">
          <Section id="config" title="Configuration">
            <ConfigProblems />
          </Section>
          <Section id="rules" title="Rules">
            <Rules />
          </Section>
          <Section id="texts" title="Instructions and skills">
            <TextsInForce />
          </Section>
        </Can>
        {isTeam ? null : <BrowserSections isTeam={false} />}
      </div>
    </div>
  )
}

function Providers() {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const { providers, listed } = useProviders()
  const refresh = useMutation(
    trpc.provider.refresh.mutationOptions({
      onSuccess: async () => {
        await queries.invalidateQueries(trpc.provider.pathFilter())
        announce("Looked again for local servers")
      },
      onError: showProblem,
    }),
  )
  const { can } = useMe()
  const groups = providerGroups(listed)
  return (
    <Section
      id="models"
      title="Models"
      action={
        <Can do="providers.manage">
          <Button loading={refresh.isPending} onClick={() => refresh.mutate()}>
            Look for local servers
          </Button>
        </Can>
      }
    >
      {providers.isPending ? <SkeletonRows count={4} height={52} label="Loading providers" /> : null}
      {providers.isLoadingError ? (
        <ErrorState
          title="Providers cannot be listed"
          message={providers.error.message}
          onRetry={() => void providers.refetch()}
        />
      ) : null}
      {providers.data && !groups.hasModel ? (
        <p className={styles.note}>
          No language model is connected here.{" "}
          {can("providers.manage") ? (
            <>
              Until you add a key, start a model server where Docket runs, or name a provider in your own{" "}
              <code>docket.json</code> or that of a project you trust, sessions run
            </>
          ) : (
            "Until an administrator connects one, sessions run"
          )}{" "}
          the rehearsal: a scripted tour that calls no model.
        </p>
      ) : null}
      <ul>
        {groups.listed.map((it) => (
          <ProviderRow key={`${it.project?.id} ${it.provider.id}`} listed={it} />
        ))}
      </ul>
      <p className={styles.hint}>
        {can("providers.manage")
          ? "Keys that you save here are kept on the machine where Docket runs, in a file that only its own user can read. They are never sent to a browser."
          : "An admin keeps the keys. They are never sent to a browser."}
      </p>
      <CatalogueDates />
    </Section>
  )
}

/** The providers of the machine and of every project. */
function useProviders() {
  const trpc = useTRPC()
  const providers = useQuery(trpc.provider.list.queryOptions({}))
  const projects = useQuery(trpc.project.list.queryOptions())
  const providersByProject = useQueries({
    queries: (projects.data ?? []).map(({ id }) => trpc.provider.list.queryOptions({ projectID: id })),
  })
  const withProviders = (projects.data ?? []).map(({ id, name }, index) => ({
    id,
    name,
    providers: providersByProject[index]?.data ?? [],
  }))
  return { providers, listed: withProjects(providers.data ?? [], withProviders) }
}
