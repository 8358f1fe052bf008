import { type AnyRecord, records, type TenantHoldings } from "@docket/core/store"
import type { Prisma } from "../generated/sqlite/client/client.ts"
import type { AccountClient, Client } from "../sql/database.ts"

/** Tables without a record. */
const tablesWithoutRecord = [
  "Counter",
  "Tree",
  "MemoryTag",
  "Removal",
  "Secret",
  "ShareCopy",
  "ShareRow",
  "WebhookCursor",
] as const satisfies Prisma.ModelName[]

type Model = Uncapitalize<Prisma.ModelName>

/** All tables, by their names in the client. */
export const models = [...tablesWithoutRecord, ...Object.values(records).map(({ name }) => name)].map(modelOf)

/** The client's name of a model: its first letter is lower case. */
function modelOf(table: Prisma.ModelName): Model {
  return table.replace(/^./, (first) => first.toLowerCase()) as Model
}

/**
 * A tenant exists if it has a row in one of these tables, because all other rows belong to a tree or to a row of these.
 * A log alone does not count.
 */
const owners = [
  modelOf("Counter"),
  modelOf("Tree"),
  ...Object.values(records)
    .filter(standsAlone)
    .map(({ name }) => modelOf(name)),
]

function standsAlone({ owner, columns, isLog }: AnyRecord): boolean {
  const mayHaveNoSession = owner === "session" && columns.sessionID === "word?"
  return !isLog && (owner === "tenant" || mayHaveNoSession)
}

/** The calls of any model. All have a tenant column; only the types of their calls differ. */
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

/** Deletes the tenant's rows from all tables in one transaction. */
export async function removeTenant(client: Client, tenantID: string): Promise<void> {
  await client.$transaction(models.map((model) => rowsOf(client, model).deleteMany({ where: { tenantID } })))
}

/** Deletes the members and the API keys of the tenant. */
export async function removeAccountsOf(client: AccountClient, tenantID: string): Promise<void> {
  const keys = await client.authApiKey.findMany({ select: { id: true, metadata: true } })
  // A key stores its workspace in its metadata.
  const id = { in: keys.filter(({ metadata }) => workspaceIn(metadata) === tenantID).map((key) => key.id) }
  await client.$transaction([
    client.authApiKey.deleteMany({ where: { id } }),
    // Its members and invitations are deleted with it.
    client.authOrganization.deleteMany({ where: { id: tenantID } }),
  ])
}

/** better-auth stores the JSON text of an object, or the JSON text of that text. */
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
