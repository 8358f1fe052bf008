import { type AnyRecord, records, type TenantHoldings } from "@docket/core/store"
import type { Prisma } from "../generated/sqlite/client/client.ts"
import type { AccountClient, Client } from "../sql/database.ts"

/** Tables of what has no shape of its own. */
const others = [
  "Counter",
  "Tree",
  "MemoryTag",
  "Removal",
  "ShareCopy",
  "ShareRow",
  "WebhookCursor",
] as const satisfies Prisma.ModelName[]

type Model = Uncapitalize<Prisma.ModelName>

/** All tables, by the client's names of them. */
export const models = [...others, ...Object.values(records).map(({ name }) => name)].map(modelOf)

/** The client calls a model by its name with a small first letter. */
function modelOf(table: Prisma.ModelName): Model {
  return table.replace(/^./, (first) => first.toLowerCase()) as Model
}

/**
 * Whoever owns anything has a row in one of these: every other row belongs to a row of a tree, or to one of these. A log
 * alone makes nobody an owner.
 */
const owners = [
  modelOf("Counter"),
  modelOf("Tree"),
  ...Object.values(records)
    .filter(standsAlone)
    .map(({ name }) => modelOf(name)),
]

function standsAlone({ owner, columns, isLog }: AnyRecord): boolean {
  return !isLog && (owner === "tenant" || (owner === "session" && columns.sessionID === "word?"))
}

/** What has a tenant: all models, whose calls differ in type by their columns. */
function rowsOf(client: Client, model: Model): Client["counter"] {
  return client[model] as unknown as Client["counter"]
}

export async function listTenants(client: Client): Promise<TenantHoldings[]> {
  const count = async (model: Model) => {
    const groups = await rowsOf(client, model).groupBy({ by: "tenantID", _count: { _all: true } })
    return new Map(groups.map(({ tenantID, _count }) => [tenantID, _count._all]))
  }
  const [sessions, ...owned] = await Promise.all([count("session"), ...owners.map(count)])
  const counts = new Map<Model, Map<string, number> | undefined>(owners.map((owner, index) => [owner, owned[index]]))
  const ids = new Set(owned.flatMap((byTenant) => [...byTenant.keys()]))
  return [...ids].sort().map((id) => ({
    id,
    sessions: sessions.get(id) ?? 0,
    todos: counts.get("todo")?.get(id) ?? 0,
    memories: counts.get("memory")?.get(id) ?? 0,
    schedules: counts.get("schedule")?.get(id) ?? 0,
  }))
}

/** Deletes the tenant's rows of every table in one transaction. */
export async function removeTenant(client: Client, tenantID: string): Promise<void> {
  await client.$transaction(models.map((model) => rowsOf(client, model).deleteMany({ where: { tenantID } })))
}

/** Deletes who belongs to the tenant, and the keys that open it. */
export async function removeAccountsOf(client: AccountClient, tenantID: string): Promise<void> {
  const keys = await client.authApiKey.findMany({ select: { id: true, metadata: true } })
  // They name it in what they keep.
  const id = { in: keys.filter(({ metadata }) => workspaceIn(metadata) === tenantID).map((key) => key.id) }
  await client.$transaction([
    client.authApiKey.deleteMany({ where: { id } }),
    // Its members and invitations go with it.
    client.authOrganization.deleteMany({ where: { id: tenantID } }),
  ])
}

/** better-auth keeps the text of an object, or the text of that text. */
function workspaceIn(metadata: unknown): unknown {
  if (typeof metadata === "string") return workspaceIn(parsed(metadata))
  return typeof metadata === "object" && metadata !== null && "workspace" in metadata ? metadata.workspace : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
