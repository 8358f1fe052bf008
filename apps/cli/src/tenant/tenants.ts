import { z } from "zod"
import { callService } from "../call-service.ts"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"
import type { ConfirmRemoval } from "./confirm-removal.ts"

/** A service, and the token from its token file. */
interface Service {
  url: string
  token: string
}

const Owned = z.object({
  id: z.string(),
  sessions: z.number(),
  todos: z.number(),
  memories: z.number(),
  schedules: z.number(),
  tokens: z.number(),
})
const Listed = z.object({ tenants: z.array(Owned) })

/** The tenants as lines under a heading, with the number of items that each owns. */
export async function listTenants(service: Service): Promise<string[]> {
  const { tenants } = await callService(service, { path: "/api/tenants" }, Listed)
  const heading = ["tenant", "sessions", "todos", "memory", "schedules", "tokens"]
  const rows = tenants.map(({ id, ...owned }) =>
    [id, owned.sessions, owned.todos, owned.memories, owned.schedules, owned.tokens].map(String),
  )
  return tableLines([heading, ...rows])
}

/**
 * Removes a tenant after `confirm` agreed. @throws UsageError when it did not, or when the service refuses: there is no
 * such tenant, or the service runs its agents as this tenant
 */
export async function removeTenant(service: Service, name: string, confirm: ConfirmRemoval): Promise<string> {
  const { tenants } = await callService(service, { path: "/api/tenants" }, Listed)
  const owned = tenants.find(({ id }) => id === name)
  if (owned === undefined) throw new UsageError(`there is no tenant "${name}"; docket tenant list shows them`)
  if (!(await confirm(name, holdings(owned)))) throw new UsageError("nothing was removed")
  const removed = await callService(service, { path: "/api/tenants/remove", body: { tenant: name } }, Owned)
  return `removed ${name}: ${holdings(removed)}`
}

function holdings({ sessions, todos, memories, schedules, tokens }: z.infer<typeof Owned>): string {
  const counts = [
    [sessions, "session", "sessions"],
    [todos, "todo", "todos"],
    [memories, "memory entry", "memory entries"],
    [schedules, "schedule", "schedules"],
    [tokens, "token", "tokens"],
  ] as const
  return counts.map(([count, one, many]) => `${count} ${count === 1 ? one : many}`).join(", ")
}
