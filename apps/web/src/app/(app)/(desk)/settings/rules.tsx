"use client"

import { useTRPC } from "@docket/client/react"
import type { Project } from "@docket/core/schema"
import { useQuery } from "@tanstack/react-query"
import { ForProject } from "../../../../shell/for-project.tsx"
import { Can } from "../../../../shell/me.tsx"
import { PageLink } from "../../../../shell/page-link.tsx"
import { useChosenProject } from "../../../../shell/use-chosen-project.ts"
import { Loaded } from "../../../../ui/loaded.tsx"
import settings from "./settings.module.css"
import { TryHistory } from "./try-history.tsx"
import { TryRules } from "./try-rules.tsx"

/**
 * The permission rules: where they are set, a trial of one action, and a comparison with other rules on past actions.
 */
export function Rules() {
  const chosen = useChosenProject()
  return (
    <>
      <p className={settings.intro}>
        <PageLink href="/agents">Agents</PageLink> lists the rules of each, with the file that sets them. The last rule
        that fits decides.
        <Can do="settings.manage">
          {" "}
          To change one, set <code>permission</code> or <code>agent</code> in your own <code>docket.json</code>, or in
          the project’s, which counts once you trust it. Until then it only makes rules stricter.
        </Can>
      </p>
      <ForProject
        chosen={chosen}
        empty={<p className={settings.hint}>Rules can be tried here once a project is open.</p>}
      >
        {(project) => <Trials project={project} />}
      </ForProject>
    </>
  )
}

function Trials({ project }: { project: Project }) {
  const trpc = useTRPC()
  const agents = useQuery(trpc.agent.explain.queryOptions({ projectID: project.id }))
  return (
    <Loaded query={agents} failed="Agents cannot be listed" loading="Loading agents" rows={3}>
      {(known) => (
        <>
          <TryRules projectID={project.id} directory={project.worktree} agents={known} />
          <TryHistory projectID={project.id} />
        </>
      )}
    </Loaded>
  )
}
