import type { DocketClient } from "@docket/client"
import type { ListedGrant, ListedGrants } from "@docket/core"
import { visibleText } from "@docket/core/rule"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"

/** The stored "always" permissions as lines under a heading, newest first. */
export function grantLines({ grants, more }: ListedGrants): string[] {
  if (grants.length === 0) return ["nothing is always allowed"]
  const rows = grants.map((grant) => [
    grant.id,
    whereOf(grant),
    visibleText([grant.permission, ...grant.patterns].join(" ")),
    `${visibleText(grant.by?.person ?? "someone")} ${new Date(grant.created).toISOString().slice(0, 10)}`,
    originOf(grant),
  ])
  const lines = tableLines([["id", "where", "what", "by", "asked in"], ...rows])
  return more ? [...lines, "older ones are not listed; revoke some of these to see them"] : lines
}

function whereOf({ scope, project }: ListedGrant): string {
  const name = visibleText(project?.name ?? "")
  switch (scope) {
    case "everywhere":
      return "every project"
    case "project":
      return `project ${name}`
    case "tree":
      return `one session of ${name}`
    case "task":
      return `one task of ${name}`
    default:
      return scope satisfies never
  }
}

function originOf({ origin: { sessionID, title } }: ListedGrant): string {
  return sessionID === null ? `"${visibleText(title)}", which is gone` : `${sessionID} "${visibleText(title)}"`
}

/** @throws UsageError when there is no stored permission with that id */
export async function revokeGrant(client: Pick<DocketClient, "permission">, id: string): Promise<string> {
  const { grants } = await client.permission.grants.query()
  const grant = grants.find((listed) => listed.id === id)
  if (grant === undefined) throw new UsageError(`nothing is always allowed under ${id}; see docket permissions list`)
  await client.permission.revoke.mutate({ grantID: id })
  return `revoked ${visibleText([grant.permission, ...grant.patterns].join(" "))}: it is asked again`
}
