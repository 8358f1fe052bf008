"use client"

import type { RoleLabels } from "@docket/client/pages"
import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { Check } from "lucide-react"
import { useMe } from "../../../../../shell/me.tsx"
import { PageLink } from "../../../../../shell/page-link.tsx"
import { Loaded } from "../../../../../ui/loaded.tsx"
import { roleName, roles, withArticle } from "../role-choice.ts"
import { TeamPage } from "../team-page.tsx"
import styles from "./roles.module.css"

/** From least to most rights, in the order of the columns. */
const columns = roles.toReversed()

/** What each role may do, generated from the table that decides it. */
export function RolesPage() {
  const trpc = useTRPC()
  const labels = useQuery({ ...trpc.me.roles.queryOptions(), staleTime: Number.POSITIVE_INFINITY })
  const { role } = useMe()
  return (
    <TeamPage
      title="Roles"
      intro={
        <>
          {role === null ? "" : `You are ${withArticle(role)} here. `}Each role may do all that those before it may.{" "}
          <PageLink href="/settings/members">Members</PageLink> have one each.
        </>
      }
    >
      <Loaded query={labels} failed="Roles cannot be shown" loading="Loading roles" rows={6} height={36}>
        {(all) => (
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">May</th>
                {columns.map((column) => (
                  <th key={column} scope="col" data-yours={column === role || undefined}>
                    {roleName(column)}
                    {column === role ? <span className={styles.you}>you</span> : null}
                  </th>
                ))}
              </tr>
            </thead>
            {all.map((group) => (
              <Group key={group.role} group={group} ownRole={role} />
            ))}
          </table>
        )}
      </Loaded>
    </TeamPage>
  )
}

/** The rights that a role has beyond the roles before it. */
function Group({ group, ownRole }: { group: RoleLabels; ownRole: string | null }) {
  const first = columnOf(group.role)
  const isYours = first >= 0 && columnOf(ownRole) >= first
  return (
    <tbody data-yours={isYours}>
      <tr>
        <th scope="rowgroup" colSpan={columns.length + 1} className={styles.group}>
          {heading(group.role, first)}
          {group.role === ownRole ? <span className={styles.you}>you</span> : null}
        </th>
      </tr>
      {group.may.map(({ capability, words }) => (
        <tr key={capability}>
          <th scope="row">{words}</th>
          {columns.map((column, index) => (
            <td key={column} data-yours={column === ownRole || undefined}>
              {first >= 0 && index >= first ? (
                <Check size={14} role="img" aria-label="yes" />
              ) : (
                <span className={styles.no} role="img" aria-label="no" />
              )}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

/** The column of a role; -1 for the operator of the server, which is no role of a workspace. */
function columnOf(role: string | null): number {
  return (columns as readonly (string | null)[]).indexOf(role)
}

function heading(role: RoleLabels["role"], place: number): string {
  if (role === "operator") return "Whoever runs the service"
  return place === 0 ? "Everybody" : place === columns.length - 1 ? "Owners" : `From ${role} on`
}
