import { createIdSource, type Tenants } from "@docket/core"
import { localPerson } from "@docket/core/schema"
import { type Id, type IdKind, idKinds, type OwnIds } from "./id-routes.ts"
import { readRows } from "./read-rows.ts"

const createID = createIdSource()
const user = { person: localPerson, workspace: "local" }

/** The ids in a service's database file. */
export interface KnownIds {
  of(tenantID: string, kind: IdKind): Id[]
  /** An id of the local tenant: for a todo, one that any list can refer to; for memory, an active entry. */
  own(kind: IdKind): Promise<Id>
  /** Rows of the local tenant, for calls that take another id in addition. */
  beside(): OwnIds
}

export function createKnownIds(file: string, { local }: Pick<Tenants, "local">): KnownIds {
  const of: KnownIds["of"] = (tenantID, kind) => {
    const { table, column } = idKinds[kind]
    return readRows(file, tenantID).column(table, column)
  }
  const beside = (): OwnIds => {
    const rows = readRows(file, local.id)
    // The first message of a root session is a user's.
    const [session, message] = [rows.column("Message", "rootID")[0], rows.column("Message", "id")[0]]
    return {
      session: String(session),
      message: String(message),
      project: String(rows.column("Project", "id")[0]),
      todo: String(rows.column("Todo", "id")[0]),
    }
  }
  return {
    of,
    beside,
    async own(kind) {
      const [todo] = await local.as(user).todo.find({ scope: { kind: "tenant" }, limit: 1 })
      const [memory] = await local.as(user).memory.search({ limit: 1 })
      if (kind === "todo" || kind === "todoNumber") return (kind === "todo" ? todo?.id : todo?.number) ?? ""
      if (kind === "memory" || kind === "memoryNumber") return (kind === "memory" ? memory?.id : memory?.number) ?? ""
      if (kind === "session") return beside().session
      return of(local.id, kind)[0] ?? ""
    },
  }
}

/** A valid id of this kind that no row has. */
export const missingID = (kind: IdKind): Id =>
  kind.endsWith("Number")
    ? 900_001
    : createID((kind === "reviewDraft" ? "reviewComment" : kind) as Parameters<typeof createID>[0])

/** The answer without the requested id. */
export const anonymous = ({ status, body }: { status: number; body: string }, id: Id) => ({
  status,
  body: body.replaceAll(new RegExp(`(?<![0-9A-Za-z])${id}(?![0-9A-Za-z])`, "g"), "<id>"),
})
