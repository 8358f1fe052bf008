import type { AccountTables } from "@docket/db"

/** Whether a user belongs to a workspace. Callers without an account, such as tokens and the operator, always do. */
export async function isMember({ client }: AccountTables, workspace: string, person: string): Promise<boolean> {
  const { authMember, authUser } = client
  const membership = await authMember.findFirst?.({ where: { organizationId: workspace, userId: person } })
  return Boolean(membership) || !(await authUser.findFirst?.({ where: { id: person } }))
}
