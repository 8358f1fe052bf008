"use client"

import { useTRPC } from "@docket/client/react"
import type { ListedGrant, ListedGrants } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { Button } from "@mantine/core"
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query"
import { Fragment } from "react"
import { useAnnounce } from "../../../../shell/announcer.tsx"
import { Can, useMe } from "../../../../shell/me.tsx"
import { PageLink } from "../../../../shell/page-link.tsx"
import { showProblem } from "../../../../shell/show-problem.ts"
import { Loaded } from "../../../../ui/loaded.tsx"
import { Person } from "../../../../ui/person.tsx"
import { RelativeTime } from "../../../../ui/relative-time.tsx"
import styles from "./always-allowed.module.css"
import { grantAct, reachOf } from "./grant-labels.ts"
import settings from "./settings.module.css"

/** Permissions that users have always allowed: where each applies, where it came from, and how to revoke it. */
export function AlwaysAllowed() {
  const trpc = useTRPC()
  const listed = useQuery(trpc.permission.grants.queryOptions())
  return (
    <Loaded query={listed} failed="What is always allowed cannot be listed" loading="Loading what is always allowed">
      {(grants) => <Grants listed={grants} />}
    </Loaded>
  )
}

function Grants({ listed: { grants, more } }: { listed: ListedGrants }) {
  const { can } = useMe()
  const who = can("answer") ? "you answer" : "members answer"
  const acrossSessions = grants.filter(({ scope }) => scope === "project" || scope === "everywhere")
  const inOneSession = grants.filter(({ scope }) => scope === "task" || scope === "tree")
  return (
    <>
      {grants.length === 0 ? (
        <p className={settings.hint}>Nothing is allowed for good. What {who} with “always” is listed here.</p>
      ) : null}
      {acrossSessions.length > 0 ? <GrantList label="In projects and everywhere" grants={acrossSessions} /> : null}
      {inOneSession.length > 0 ? (
        <details className={styles.within}>
          <summary>
            {inOneSession.length === 1 ? "1 in a single session" : `${inOneSession.length} in single sessions`}
          </summary>
          <GrantList label="In single sessions" grants={inOneSession} />
        </details>
      ) : null}
      {more ? (
        <p className={settings.hint}>
          Older ones are not listed.{can("answer") ? " Revoke some of these to see them." : ""}
        </p>
      ) : null}
      <p className={settings.hint}>
        These answer what rules leave to ask. What the configuration denies stays denied, whatever is listed here.
      </p>
    </>
  )
}

function GrantList({ label, grants }: { label: string; grants: ListedGrant[] }) {
  return (
    <ul aria-label={label}>
      {grants.map((grant) => (
        <GrantRow key={grant.id} grant={grant} />
      ))}
    </ul>
  )
}

function GrantRow({ grant }: { grant: ListedGrant }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const revoke = useMutation(
    trpc.permission.revoke.mutationOptions({
      onError: showProblem,
      // Also after an error, because the grant may be revoked already.
      onSettled: () => void queries.invalidateQueries(trpc.permission.grants.pathFilter()),
    }),
  )
  const takeBack = async () => {
    await revoke.mutateAsync({ grantID: grant.id })
    announce("Revoked: it is asked again")
    // The button disappears with its row, so focus moves to the heading.
    document.getElementById("grants")?.focus()
  }
  const act = grantAct(grant)
  return (
    <li className={settings.provider}>
      <div className={settings.line}>
        <span className={settings.text}>
          <span className={styles.what}>
            {act.words}
            {act.patterns.map((pattern, index) => (
              <Fragment key={pattern}>
                {index === 0 ? " " : ", "}
                <code>{pattern}</code>
              </Fragment>
            ))}
          </span>
          <span className={settings.meta}>
            {reachOf(grant)} · <Origin grant={grant} />
          </span>
        </span>
        <Can do="answer">
          <Button
            color="red"
            variant="subtle"
            aria-label={`Revoke: ${[act.words, act.patterns.join(", ")].join(" ").trim()}`}
            loading={revoke.isPending}
            onClick={() => takeBack().catch(() => {})}
          >
            Revoke
          </Button>
        </Can>
      </div>
    </li>
  )
}

/** Who allowed it and when, and the session that asked. */
function Origin({ grant: { origin, by, created } }: { grant: ListedGrant }) {
  const title = visibleText(origin.title)
  const { sessionID, rootID } = origin
  const href = sessionID === rootID ? `/s/${rootID}` : `/s/${rootID}/c/${sessionID}`
  const asker = origin.agent === null ? "" : `${visibleText(origin.agent)} asked in `
  return (
    <>
      <Person person={by} />, <RelativeTime time={created} />: {asker}
      {sessionID === null ? (
        `“${title}”, which is gone`
      ) : (
        <PageLink href={href}>{title || "a session without a title"}</PageLink>
      )}
    </>
  )
}
