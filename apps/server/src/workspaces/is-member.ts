import type { AccountTables } from "@docket/db"

/**
 * Whether somebody belongs to a workspace. Those without an account, as tokens and who runs the service, are removed from
 * none.
 */
export async function isMember({ client }: AccountTables, workspace: string, person: string): Promise<boolean> {
  const { authMember, authUser } = client
  const membership = await authMember.findFirst?.({ where: { organizationId: workspace, userId: person } })
  return Boolean(membership) || !(await authUser.findFirst?.({ where: { id: person } }))
}
