import { createIdSource, type Tenants } from "@docket/core"
import { localPerson } from "@docket/core/schema"
import { type Id, type IdKind, idKinds, type OwnIds } from "./id-routes.ts"
import { readRows } from "./read-rows.ts"

const createID = createIdSource()
const user = { person: localPerson, workspace: "local" }

/** The ids in the database file of a service. */
export interface KnownIds {
  of(tenantID: string, kind: IdKind): Id[]
  /** One of the local tenant's: a todo that any list may name, a memory entry that holds. */
  own(kind: IdKind): Promise<Id>
  /** What the local tenant has, for calls that take an id beside it. */
  beside(): OwnIds
}

export function createKnownIds(file: string, { local }: Pick<Tenants, "local">): KnownIds {
  const of: KnownIds["of"] = (tenantID, kind) => {
    const { table, column } = idKinds[kind]
    return readRows(file, tenantID).column(table, column)
  }
  const beside = (): OwnIds => {
    const rows = readRows(file, local.id)
    // The first message of a root is a person's.
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

/** An id of the kind's form that nobody has, and never will. */
export const missingID = (kind: IdKind): Id =>
  kind.endsWith("Number")
    ? 900_001
    : createID((kind === "reviewDraft" ? "reviewComment" : kind) as Parameters<typeof createID>[0])

/** The answer without the id that was asked for. */
export const anonymous = ({ status, body }: { status: number; body: string }, id: Id) => ({
  status,
  body: body.replaceAll(new RegExp(`(?<![0-9A-Za-z])${id}(?![0-9A-Za-z])`, "g"), "<id>"),
})
