import { Role } from "@docket/core/schema"
import type { Context } from "./create-accounts.ts"

export interface Membership {
  id: string
  workspace: string
  person: string
  role: Role
  since: number
}

interface MemberRow {
  id: string
  organizationId: string
  userId: string
  role: string
  createdAt: Date
}

/** Maximum number of members; queries of better-auth return at most 100 by default. */
const most = 10_000

/** Memberships of users in workspaces. A row with a role that this version does not know is ignored. */
export function createMemberships(adapter: Context["adapter"]) {
  const list = async (field: "userId" | "organizationId", value: string): Promise<Membership[]> => {
    const where = [{ field, value }]
    const sortBy = { field: "createdAt", direction: "asc" } as const
    const rows = await adapter.findMany<MemberRow>({ model: "member", where, sortBy, limit: most })
    return rows.flatMap(({ id, organizationId, userId, role, createdAt }) => {
      const known = Role.safeParse(role)
      if (!known.success) return []
      return [{ id, workspace: organizationId, person: userId, role: known.data, since: createdAt.getTime() }]
    })
  }
  return {
    /** Oldest first. */
    ofPerson: (person: string) => list("userId", person),
    ofWorkspace: (workspace: string) => list("organizationId", workspace),
    async add({ workspace, person, role }: Pick<Membership, "workspace" | "person" | "role">, now: Date) {
      const data = { organizationId: workspace, userId: person, role, createdAt: now }
      await adapter.create({ model: "member", data })
    },
    async setRole(id: string, role: Role) {
      await adapter.update({ model: "member", where: [{ field: "id", value: id }], update: { role } })
    },
    async remove(id: string) {
      await adapter.delete({ model: "member", where: [{ field: "id", value: id }] })
    },
  }
}

export type Memberships = ReturnType<typeof createMemberships>
