import type { Tenants } from "@docket/core"
import { localPerson } from "@docket/core/schema"
import { besideKinds, type Id, type IdKind, idKinds, type OwnIds } from "./id-kinds.ts"
import { readRows, type TenantRows } from "./read-rows.ts"

const user = { person: localPerson, workspace: "local" }

/** The ids in a service's database file. */
export interface KnownIds {
  of(tenantID: string, kind: IdKind): Id[]
  /** An id of the local tenant: for a todo, one that any list can refer to; for memory, an active entry. */
  own(kind: IdKind): Promise<Id>
  /** Rows of a tenant, of the local one when left out, for calls that take another id in addition. */
  beside(tenantID?: string): OwnIds
}

export function createKnownIds(file: string, { local }: Pick<Tenants, "local">): KnownIds {
  const of: KnownIds["of"] = (tenantID, kind) => {
    const { table, column } = idKinds[kind]
    return readRows(file, tenantID).column(table, column)
  }
  const beside = (tenantID: string = local.id) => besideIn(readRows(file, tenantID))
  return {
    of,
    beside,
    async own(kind) {
      const [todo] = await local.as(user).todo.find({ scope: { kind: "tenant" }, limit: 1 })
      const [memory] = await local.as(user).memory.search({ limit: 1 })
      if (kind === "todo" || kind === "todoNumber") return (kind === "todo" ? todo?.id : todo?.number) ?? ""
      if (kind === "memory" || kind === "memoryNumber") return (kind === "memory" ? memory?.id : memory?.number) ?? ""
      if (kind === "session" || kind === "part") return beside()[kind]
      const all = of(local.id, kind)
      // A call before may have started a schedule, whose turn may still wait: it has an id without a time.
      return (kind === "turn" ? all.find((id) => !String(id).startsWith("trn_000000000000")) : all[0]) ?? ""
    },
  }
}

/** An id of each kind that calls need in addition: a message, its session, its first part, the first of each other. */
export function besideIn(rows: TenantRows, isLeftOut: (kind: IdKind, id: Id) => boolean = () => false): OwnIds {
  const first = (kind: IdKind) =>
    rows.column(idKinds[kind].table, idKinds[kind].column).find((id) => !isLeftOut(kind, id)) ?? ""
  const where = (table: string, name: string, value: Id) => rows.column(table, name).indexOf(value)
  const message = first("message")
  const [session] = rows.column("Message", "rootID").slice(where("Message", "id", message))
  const [part] = rows.column("Part", "id").slice(where("Part", "messageID", message))
  const firsts = Object.fromEntries(besideKinds.map((kind) => [kind, first(kind)]))
  // The cast is safe: there is one entry for each kind, and the ids of these kinds are texts.
  return { ...firsts, session, message, part } as OwnIds
}

/** The answer without the requested id. */
export const anonymous = ({ status, body }: { status: number; body: string }, id: Id) => ({
  status,
  body: body.replaceAll(new RegExp(`(?<![0-9A-Za-z])${id}(?![0-9A-Za-z])`, "g"), "<id>"),
})
