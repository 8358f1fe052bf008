import type { Context } from "./create-accounts.ts"

/** Maximum number of workspaces; queries of better-auth return at most 100 by default. */
const most = 10_000

/** Names of workspaces. Their ids are those of their tenants. */
export function createOrganizations(adapter: Context["adapter"], clock: () => number) {
  const model = "organization"
  const where = (id: string) => [{ field: "id", value: id }]
  return {
    /** By id; workspaces without a name are left out. */
    async names(ids: readonly string[]): Promise<Map<string, string>> {
      if (ids.length === 0) return new Map()
      const rows = await adapter.findMany<{ id: string; name: string }>({
        model,
        where: [{ field: "id", operator: "in", value: [...ids] }],
        limit: most,
      })
      return new Map(rows.map(({ id, name }) => [id, name]))
    },
    /** An existing workspace is not changed. */
    async create(id: string, name: string): Promise<void> {
      if (await adapter.findOne({ model, where: where(id) })) return
      const data = { id, name, slug: id, createdAt: new Date(clock()) }
      await adapter.create({ model, data, forceAllowId: true })
    },
    async rename(id: string, name: string): Promise<void> {
      await adapter.update({ model, where: where(id), update: { name } })
    },
  }
}

export type Organizations = ReturnType<typeof createOrganizations>
