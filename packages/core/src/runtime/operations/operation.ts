import type { z } from "zod"
import type { DocketErrorCode } from "../../ground/error/docket-error.ts"
import type { Caller, IdKind } from "../../ground/schema/index.ts"
import type { CallerServices } from "../caller-services.ts"
import type { SeenRef, TreeVisibility } from "../tree-visibility.ts"
import type { Capability } from "./access-table.ts"
import type { Asker } from "./asker.ts"
import type { AuditRule } from "./audit-rule.ts"

/** A function type that also accepts functions of a narrower input: the caller has parsed that input. */
type Takes<Input extends unknown[], Output> = { call(...input: Input): Output }["call"]

type Listed<Output> = Output extends readonly (infer Item)[] ? Item : never
type Paged<Output> = Output extends { items: readonly (infer Item)[] } | { hits: readonly (infer Item)[] }
  ? Item
  : never

/** What an operation knows about one call of it. */
export interface Call {
  /** The id of the row to make, when the request has a key. A repeated request has the same id. */
  id: string | undefined
  /** The name of the request, when it has a key. A repeated request has the same name. */
  request: string | undefined
  caller: Caller
  /** Null where everybody sees everything. */
  visibility: TreeVisibility | null
  asker: Asker
}

export type Kind = "query" | "mutation" | "inner"

/** What is checked for visibility before an operation runs. Null, as for a field that was left out, needs no check. */
export type Target = SeenRef | null | (SeenRef | null)[]

/** A query parameter as the document describes it. It is sent as text, and may be left out. */
export interface QueryParameter {
  type: "string" | "integer"
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  default?: number
  description: string
}

/** What `{id}` in a path stands for: an id of a kind, or the number of an item. */
export type RestItem = { schema: z.ZodType<string>; called: string } | { numberOf: string }

/** The parts of a request to a route. */
export interface RestRequest<Body> {
  /** `""` when the path has none. */
  id: string
  /** `id` as a number; 0 when it is none. */
  number: number
  query: Readonly<Record<string, string | undefined>>
  body: Body
  /** The name of the token. */
  by: string
  /** Whether there is such a session that the caller may see. */
  hasSession(sessionID: string): Promise<boolean>
}

/**
 * The route of an operation below `/v1`, with its description for the OpenAPI document. Bodies and answers are
 * described as the operation names their fields; the route spells them in snake_case.
 */
export interface Rest<Parsed, Output> {
  method: "get" | "post" | "patch" | "delete"
  /** The path below `/v1`, with `{id}` for what it is about. */
  path: string
  operationID: string
  summary: string
  item?: RestItem
  query?: Record<string, QueryParameter>
  body?: z.ZodType
  status: 200 | 201
  answer: { description: string; schema: z.ZodType }
  /** Descriptions of refusals, by status, besides those that every route may give. */
  refusals: Partial<Record<400 | 404 | 409, string>>
  /** Expected failures that have their own status and words on this route. */
  errors?: Partial<Record<DocketErrorCode, readonly [status: 400 | 404, message: string]>>
  read: Takes<[request: RestRequest<unknown>], Parsed | Promise<Parsed>>
  /** Makes the answer; without it, the output is the answer. */
  write?: Takes<[output: Output, request: RestRequest<unknown>], unknown>
  /** Names what was made, for the audit log. */
  about?: Takes<[output: Output], Record<string, string>>
  /** The call waits for something to happen. It counts as a stream, and ends when its caller leaves. */
  waits?: true
  /** Answers a tenant without agents. Without it, such a tenant gets 404 where the operation needs agents. */
  withoutAgents?: Takes<[request: RestRequest<unknown>], unknown>
}

/** A route as it is written: the type of its body comes from the schema. */
export type SaidRest<Parsed, Output, Body extends z.ZodType> = Omit<Rest<Parsed, Output>, "body" | "read"> & {
  body?: Body
  read(request: RestRequest<z.output<Body>>): Parsed | Promise<Parsed>
}

/** Rows that a repeated request finds by the id that the first one made. */
export type FoundRow = "session" | "turn" | "todo" | "memory" | "schedule"

/** What of a tree or project has to be at the node that carries out an operation. */
type Needs = "rows" | "directories" | "files-if-there" | "contents" | "contents-if-away"

/** Replaces the input as the name of a remembered request. */
export interface RememberedAs<Parsed> {
  remembered: Takes<[input: Parsed], unknown>
}

/** The row that a request with a key makes. With `finds`, `run` itself looks for an existing one. */
export type KeyedRow<Parsed> = ({ row: FoundRow; finds?: false } | { row: IdKind; finds: true }) & {
  /** The name and input of the request, where they differ from those of the operation. */
  as?: { name: string; input: Takes<[input: Parsed], unknown> }
}

/**
 * One thing that a caller may ask for. Its name is its path, `review.verdict.give`. All else about it (procedure,
 * route, checks) comes from this entry.
 */
export interface Operation<K extends Kind, Input, Parsed, Output> {
  /** An inner operation is no procedure: handwritten routes call it. */
  kind: K
  capability: Capability
  /** Null for none. */
  input: z.ZodType<Parsed, Input> | null
  /** What the audit log says of it; a query has none. */
  audit: K extends "mutation" ? AuditRule : undefined
  /**
   * What it is about: if that is hidden from the caller, it is not found. Without this, all that its input names by the
   * usual names (`sessionID`, `taskID`). Null when it is about nothing in a tree.
   */
  target?: Takes<[input: Parsed], Target> | null
  /**
   * What a repeated request with a key does: it runs again, gets the same answer for a while, or finds the row that the
   * first one made.
   */
  idempotent: "no" | "remembered" | RememberedAs<Parsed> | KeyedRow<Parsed>
  /** Whether it starts work that goes on by itself, which only members may. */
  member: boolean
  /**
   * Where several nodes work, any of them carries out what needs only rows. Without it, a node does that has the files of
   * the tree or project that the input names; with `files-if-there`, any node while there is no such node. A repeated
   * request then has to find the row that the first one made. With `contents`, any node does where nodes keep contents for
   * each other; what is not kept yet is asked for at a node with the files. With `contents-if-away`, it does only while there
   * is no node with the files. With `directories`, the node is one of the place that the input names, or of the only one.
   */
  needs?: Needs | Takes<[input: Parsed], Needs | undefined>
  run: Takes<[services: CallerServices, input: Parsed, call: Call], Promise<Output>>
  /** The root session of an item, for an operation that answers with a list. Items of hidden trees are left out. */
  lists?: Takes<[item: Listed<Output>], string | null>
  /**
   * The same for an operation that answers with a page. `usual` is the page size without a `limit`. `names` are the
   * fields of the items and of the next cursor, where they are not `items` and `cursor`.
   */
  pages?: { usual: number; names?: ["hits", "next"]; rootOf: Takes<[item: Paged<Output>], string> }
  /**
   * The session of an item, for a list of the newest items. Hidden items are replaced by older ones. `usual` is the
   * length without a `limit`.
   */
  newest?: { usual: number; most: number; sessionOf: Takes<[item: Listed<Output>], string | null> }
  rest?: Rest<Parsed, Output>
}

export type AnyOperation = Operation<Kind, unknown, unknown, unknown>

/** Operations, nested by the parts of their names. */
export interface OperationTree {
  [name: string]: AnyOperation | OperationTree
}

export function isOperation(one: AnyOperation | OperationTree): one is AnyOperation {
  return typeof one.run === "function"
}

/** All operations of a tree with their full names. */
export function listOperations(tree: OperationTree, prefix = ""): [name: string, operation: AnyOperation][] {
  return Object.entries(tree).flatMap(([name, one]) =>
    isOperation(one) ? [[prefix + name, one] as [string, AnyOperation]] : listOperations(one, `${prefix}${name}.`),
  )
}

type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : void
type ParsedOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined

/** An operation as it is written: its types come from its schemas. */
type Said<K extends Kind, Schema, Output, Body extends z.ZodType> = Omit<
  Operation<K, InputOf<Schema>, ParsedOf<Schema>, Output>,
  "kind" | "capability" | "input" | "audit" | "idempotent" | "member" | "rest"
> & {
  input: Schema
  idempotent?: Operation<K, InputOf<Schema>, ParsedOf<Schema>, Output>["idempotent"]
  member?: boolean
  rest?: SaidRest<ParsedOf<Schema>, Output, Body>
}

/** Makes an operation that changes nothing. Without a `capability`, everybody may use it who may read. */
export function query<Schema extends z.ZodType | null, Output, Body extends z.ZodType = z.ZodUndefined>(
  said: Said<"query", Schema, Output, Body> & { capability?: Capability },
): Operation<"query", InputOf<Schema>, ParsedOf<Schema>, Output> {
  return withDefaults({ ...said, kind: "query", audit: undefined })
}

/** Makes an operation that changes something. */
export function mutation<Schema extends z.ZodType | null, Output, Body extends z.ZodType = z.ZodUndefined>(
  said: Said<"mutation", Schema, Output, Body> & { capability: Capability; audit: AuditRule },
): Operation<"mutation", InputOf<Schema>, ParsedOf<Schema>, Output> {
  return withDefaults({ ...said, kind: "mutation" })
}

/** Makes an operation that is no procedure. Whoever calls it has checked the input and the caller's rights. */
export function inner<Parsed, Output>(
  said: Pick<Operation<"inner", Parsed, Parsed, Output>, "run" | "target" | "lists" | "pages" | "newest" | "needs">,
): Operation<"inner", Parsed, Parsed, Output> {
  return withDefaults({ ...said, kind: "inner", input: null, audit: undefined })
}

/** Adds the defaults. The only place where an entry is cast to the operation that its schemas describe. */
function withDefaults<O>(said: object): O {
  return { capability: "read", idempotent: "no", member: false, ...said } as O
}
