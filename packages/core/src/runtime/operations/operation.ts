import type { z } from "zod"
import type { DocketErrorCode } from "../../ground/error/docket-error.ts"
import type { Caller, IdKind } from "../../ground/schema/index.ts"
import type { CallerServices } from "../caller-services.ts"
import type { SeenRef, TreeVisibility } from "../tree-visibility.ts"
import type { Capability } from "./access-table.ts"
import type { Asker } from "./asker.ts"
import type { AuditRule } from "./audit-rule.ts"

/** A function that may be given where one of any input is asked for: whoever calls it has parsed its input. */
type Takes<Input extends unknown[], Output> = { call(...input: Input): Output }["call"]

type Listed<Output> = Output extends readonly (infer Item)[] ? Item : never
type Paged<Output> = Output extends { items: readonly (infer Item)[] } | { hits: readonly (infer Item)[] }
  ? Item
  : never

/** Of one call. */
export interface Call {
  /** Of the row that the call makes, when its request has a key: the same request has the same. */
  id: string | undefined
  /** What stands for such a request. */
  request: string | undefined
  caller: Caller
  /** Null where everybody sees everything. */
  visibility: TreeVisibility | null
  asker: Asker
}

export type Kind = "query" | "mutation" | "inner"

/** What is looked at before an operation is done; a name of the input that says nothing is about nothing. */
export type Target = SeenRef | null | (SeenRef | null)[]

/** A parameter of an address, as it is described: what is sent is text, and may be left out. */
export interface QueryParameter {
  type: "string" | "integer"
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: number
  description: string
}

/** What `{id}` of an address is: an id of a kind, or the number of such an item. */
export type RestItem = { schema: z.ZodType<string>; called: string } | { numberOf: string }

/** What a request to a route says. */
export interface RestRequest<Body> {
  /** `""` for an address without one. */
  id: string
  /** `id` as a number; 0 for what is none. */
  number: number
  query: Readonly<Record<string, string | undefined>>
  body: Body
  /** What the token is called. */
  by: string
  /** Whether there is one that the caller sees. */
  hasSession(sessionID: string): Promise<boolean>
}

/** How an operation is reached by `/v1`, with what the OpenAPI document says of it. */
export interface Rest<Parsed, Output> {
  method: "get" | "post" | "patch" | "delete"
  /** Below `/v1`, with what it is about as `{id}`. */
  path: string
  operationID: string
  summary: string
  item?: RestItem
  query?: Record<string, QueryParameter>
  body?: z.ZodType
  status: 200 | 201
  answer: { description: string; schema: z.ZodType }
  /** What is said of other answers than those that every route may give, by their status. */
  refusals: Partial<Record<400 | 404 | 409, string>>
  /** Expected failures that have another status and words here. */
  errors?: Partial<Record<DocketErrorCode, readonly [status: 400 | 404, message: string]>>
  read: Takes<[request: RestRequest<unknown>], Parsed | Promise<Parsed>>
  /** What is answered; the output itself when left out. */
  write?: Takes<[output: Output, request: RestRequest<unknown>], unknown>
  /** What was made, for the audit log. */
  about?: Takes<[output: Output], Record<string, string>>
  /** What a tenant is answered that runs no agents, where the operation is theirs; left out, 404. */
  withoutAgents?: Takes<[request: RestRequest<unknown>], unknown>
}

/** As it is written: the body has the type of its schema. */
export type SaidRest<Parsed, Output, Body extends z.ZodType> = Omit<Rest<Parsed, Output>, "body" | "read"> & {
  body?: Body
  read(request: RestRequest<z.output<Body>>): Parsed | Promise<Parsed>
}

/** What requests with a key make that they find by its id. */
export type FoundRow = "session" | "turn" | "todo" | "memory" | "schedule"

/** What stands for the input of a request among those that are remembered. */
export interface RememberedAs<Parsed> {
  remembered: Takes<[input: Parsed], unknown>
}

/** The row that a request with a key makes. `finds`: `run` looks for it itself. */
export type KeyedRow<Parsed> = ({ row: FoundRow; finds?: false } | { row: IdKind; finds: true }) & {
  /** What the request is known as, where that is not the operation's name and input. */
  as?: { name: string; input: Takes<[input: Parsed], unknown> }
}

/** One thing that a caller may ask for: said here, and nowhere else. Its name is its path, `review.verdict.give`. */
export interface Operation<K extends Kind, Input, Parsed, Output> {
  /** An inner one is no procedure: routes that are written by hand call it. */
  kind: K
  capability: Capability
  /** Null for none. */
  input: z.ZodType<Parsed, Input> | null
  /** What is written down of it; a query has none. */
  audit: K extends "mutation" ? AuditRule : undefined
  /**
   * What it is about: one that is hidden from the caller is not there for them. Left out, it is all that its input names by
   * the usual names (`sessionID`, `taskID`); null when it is about nothing of a tree.
   */
  target?: Takes<[input: Parsed], Target> | null
  /**
   * What becomes of a request with a key that is sent again: it is done again, it is answered as before for a while, or it
   * finds the row that it made.
   */
  idempotent: "no" | "remembered" | RememberedAs<Parsed> | KeyedRow<Parsed>
  /** Whether it begins what goes on by itself, so that only members may. */
  member: boolean
  run: Takes<[of: CallerServices, input: Parsed, call: Call], Promise<Output>>
  /** The root session of an item of its list: those of hidden trees are left out. */
  lists?: Takes<[item: Listed<Output>], string | null>
  /**
   * The same of a page; `usual` is how many items one has when nobody says, and `names` are what its items and the cursor of the
   * next one are called, where they are not `items` and `cursor`.
   */
  pages?: { usual: number; names?: ["hits", "next"]; rootOf: Takes<[item: Paged<Output>], string> }
  /** The session of an item of a list that begins with so many of the newest: it is filled again. */
  newest?: { usual: number; most: number; sessionOf: Takes<[item: Listed<Output>], string | null> }
  rest?: Rest<Parsed, Output>
}

export type AnyOperation = Operation<Kind, unknown, unknown, unknown>

/** Operations by the parts of their names. */
export interface OperationTree {
  [name: string]: AnyOperation | OperationTree
}

export function isOperation(one: AnyOperation | OperationTree): one is AnyOperation {
  return typeof one.run === "function"
}

/** All operations of a tree, each with its name. */
export function listOperations(tree: OperationTree, prefix = ""): [name: string, operation: AnyOperation][] {
  return Object.entries(tree).flatMap(([name, one]) =>
    isOperation(one) ? [[prefix + name, one] as [string, AnyOperation]] : listOperations(one, `${prefix}${name}.`),
  )
}

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : void
type ParsedOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** As it is written: its schemas give the types of all else. */
type Said<K extends Kind, Schema, Output, Body extends z.ZodType> = Omit<
  Operation<K, InputOf<Schema>, ParsedOf<Schema>, Output>,
  "kind" | "capability" | "input" | "audit" | "idempotent" | "member" | "rest"
> & {
  input: Schema
  idempotent?: Operation<K, InputOf<Schema>, ParsedOf<Schema>, Output>["idempotent"]
  member?: boolean
  rest?: SaidRest<ParsedOf<Schema>, Output, Body>
}

/** An operation that changes nothing. Whoever reads sessions may ask, unless it says what else it takes. */
export function query<Schema extends z.ZodType | null, Output, Body extends z.ZodType = z.ZodUndefined>(
  said: Said<"query", Schema, Output, Body> & { capability?: Capability },
): Operation<"query", InputOf<Schema>, ParsedOf<Schema>, Output> {
  return made({ ...said, kind: "query", audit: undefined })
}

/** An operation that changes something. */
export function mutation<Schema extends z.ZodType | null, Output, Body extends z.ZodType = z.ZodUndefined>(
  said: Said<"mutation", Schema, Output, Body> & { capability: Capability; audit: AuditRule },
): Operation<"mutation", InputOf<Schema>, ParsedOf<Schema>, Output> {
  return made({ ...said, kind: "mutation" })
}

/** An operation that is no procedure. Whoever calls it has looked at what it takes. */
export function inner<Parsed, Output>(
  said: Pick<Operation<"inner", Parsed, Parsed, Output>, "run" | "target" | "lists" | "pages" | "newest">,
): Operation<"inner", Parsed, Parsed, Output> {
  return made({ ...said, kind: "inner", input: null, audit: undefined })
}

/** With what is usual. The one place where what was written is taken for what it is: an operation of its schema's types. */
function made<O>(said: object): O {
  return { capability: "read", idempotent: "no", member: false, ...said } as O
}
