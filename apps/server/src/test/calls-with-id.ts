import { idPrefix } from "@docket/core/schema"
import { type Procedures, type Request, type Route, routesOf, type Schema } from "./api-routes.ts"
import { type Id, type IdKind, idKinds, missingID, type OwnIds } from "./id-kinds.ts"

export interface Call {
  /** The name of the procedure, or method and path as the OpenAPI document has them. */
  route: string
  /** The route, and where its input takes the id. */
  name: string
  /** Of its id; null for a call without one. */
  kind: IdKind | null
  request(id: Id): Request
}
export type IdCall = Call & { kind: IdKind }

/** Kinds of ids that the schema does not show, by their name in the input: ambiguous names with the route before. */
const kindsOfNames: Record<string, IdKind[]> = {
  dependsOn: ["todo", "todoNumber"],
  before: ["message"],
  after: ["message"],
  around: ["message", "part"],
  conversation_id: ["session"],
  project: ["project"],
  comments: ["reviewComment"],
  draftID: ["reviewDraft"],
  draftIDs: ["reviewDraft"],
  "PATCH /v1/todos id": ["todoNumber"],
}

/** Names that hold ids which are not tried, or that only look like ids, with the reason. */
const notTried: Record<string, string> = {
  providerID: "a name in the configuration",
  modelID: "a name in the configuration",
  provider_id: "a name in the configuration",
  model_id: "a name in the configuration",
  agent_id: "a name in the configuration",
  cursor: "a place in a list, whoever owns the row there",
  "GET /v1/sessions/{id}/events after": "a place in the events of the tree that the call names",
  lastEventId: "a place in the events of the tree that the call names",
  "session.changePrompt before": "counts only in the queue of the prompt that the call names",
  "PATCH /v1/turns/{id} before": "counts only in the queue of the prompt that the call names",
  leftID: "counts only inside the session that the call names",
  left: "kept as sent: it leaves sessions out of a link, and shows none",
  owner: "kept as sent; who reads the todo is checked when they ask for its evidence",
  parts: "hold ids only in notices, which the service takes out",
  "todo.replace id": "counts only inside the list that the call names",
  "presence.at id": "chosen by the caller",
  "event.subscribe id": "chosen by the caller",
  "editor.answer askID": "counts only for a question that came to an editor of the caller",
  "workspace.create id": "chosen by the caller",
  nodeID: "a process of the service, of no tenant",
  "POST /mcp id": "the number of a message, chosen by the caller",
  "POST /api/tokens/revoke id": "a token: see access-of-others.test.ts",
}

/**
 * The values that are sent for these names: valid ones where they do no harm, else unknown ones. Of several, the first
 * that fits the schema. Any other name gets its first choice, its least number or `planted`. Names with a route are
 * always sent.
 */
const values: Record<string, unknown[]> = {
  when: ["in 500 weeks"],
  schedule: ["in 500 weeks"],
  file: ["{}"],
  path: ["a.txt"],
  hash: ["0".repeat(64)],
  query: ["notes"],
  to: ["parent", 1],
  visibility: ["author"],
  reply: ["always"],
  role: ["viewer"],
  isOperator: [false],
  email: ["nobody@example.org"],
  q: ["secret"],
  all: [true],
  status: ["paused", "pending"],
  agent_id: ["index"],
  "agent.judge agent": ["build"],
  "tool.list agent": ["build"],
  "credential.save origin": ["https://git.example.org"],
  "provider.installPackage name": ["../nothing"],
  "provider.lookUpPackage spec": ["../nothing"],
  "search.rows text": ["secret"],
  nodeID: [`${idPrefix.node}_${"0".repeat(26)}`],
  "provider.refreshCatalogue url": ["http://127.0.0.1:9/models.json"],
  "POST /v1/models/refresh url": ["http://127.0.0.1:9/models.json"],
  // Without these, a stream says nothing until something happens.
  "event.subscribe rootID": [],
  "event.subscribe since": [0],
  "GET /v1/sessions/{id}/review-events since": [0],
  "GET /v1/sessions/{id}/stream after": [0],
}
/** Long enough for a name that a page chooses for itself. */
const planted = "planted-by-a-test"

/** Names that are also sent where they are optional. Queries are tried with and without them. */
const sentToo = new Set(["agent_id", "all", "content", "name", "position", "q", "status", "subject", "title"])

/** The steps to a value: a name, `[0]` for an item of a list, or `|1` for one of several forms. */
type Path = readonly string[]

/** A call for each id that a procedure, or a route that takes a capability, takes. Calls that end something last. */
export function callsWithID(document: unknown, own: OwnIds, procedures?: Procedures): IdCall[] {
  const calls = routesOf(document, procedures).flatMap((route) =>
    placesIn(route, route.schema, []).flatMap((place) => callsAt(route, place, own)),
  )
  return calls.sort((a, b) => orderOf(a) - orderOf(b))
}

/** A call of each procedure, and of each route that takes a capability, without an id of a tenant in its input. */
export function callsWithoutID(document: unknown): Call[] {
  return routesOf(document)
    .filter((route) => placesIn(route, route.schema, []).length === 0)
    .map((route) => {
      const input = sampleFor(route, { path: null, isFull: true })
      route.check(input)
      return { route: route.name, name: route.name, kind: null, request: () => route.request(input) }
    })
}

/** The calls that read without naming an item, but perhaps a project. */
export function listCalls(document: unknown, own: OwnIds): Call[] {
  const ofProject = callsWithID(document, own).filter(({ kind }) => kind === "project")
  return [...callsWithoutID(document), ...ofProject].filter(({ request }) => request("").method === "GET")
}

const ends = /DELETE|abort|cancel|delete|discard|invalidate|post$|remove|replace|revert|revoke|stop$|withdraw/

/** The order of calls. A prompt is answered when its turn ends: it comes before calls that make turns ask for leave. */
function orderOf({ route, isQuery }: IdCall & { isQuery: boolean }): number {
  if (isQuery) return 0
  if (
    route === "session.prompt" ||
    /^POST \/opencode\/.*\/(message|prompt_async|command|shell|summarize|init)$/.test(route)
  )
    return 1
  if (["session.remove", "DELETE /opencode/session/{id}", "DELETE /v1/sessions/{id}"].includes(route)) return 4
  return ends.test(route) ? 3 : 2
}

function callsAt(route: Route, { path, kind, label }: Place, own: OwnIds): (IdCall & { isQuery: boolean })[] {
  const inputOf = (id: Id, isFull: boolean) => sampleFor(route, { path, kind, id, own, isFull })
  const name = `${route.name} ${label}`
  const call = (isFull: boolean, more = "") => ({
    route: route.name,
    name: name + more,
    kind,
    isQuery: route.isQuery,
    request: (id: Id) => route.request(inputOf(id, isFull)),
  })
  const id = missingID(kind)
  route.check(inputOf(id, true))
  const isOne = !route.isQuery || JSON.stringify(inputOf(id, true)) === JSON.stringify(inputOf(id, false))
  return isOne ? [call(true)] : [call(false), call(true, " and more")]
}

interface Place {
  path: Path
  kind: IdKind
  /** Its names, with the form of input that has it: `place[text].partID`. */
  label: string
}

function placesIn(route: Route, schema: Schema, path: Path, label = ""): Place[] {
  if (isNotTried(route, path)) return []
  const [name, key] = namesOf(route, path)
  const kinds = kindsOf(route, schema, path)
  if (kinds.length > 0)
    return kinds.map((kind, index) => ({ path, kind, label: index === 0 ? label : `${label} as a ${kind}` }))
  if (/(?:^id|_ids?|I[Dd]s?)$/.test(name) && /string|integer/.test(String(schema.type)) && schema.enum === undefined)
    throw new Error(
      `${key} looks like an id: write into \`kindsOfNames\` of which kind, or into \`notTried\` why it is none.`,
    )
  return [
    ...formsOf(schema).flatMap((form, index) => {
      const [kind] = valuesOf(form.properties?.kind ?? {})
      return placesIn(route, form, [...path, `|${index}`], kind === undefined ? label : `${label}[${kind}]`)
    }),
    ...Object.entries(schema.properties ?? {}).flatMap(([its, one]) =>
      placesIn(route, one, [...path, its], label === "" ? its : `${label}.${its}`),
    ),
    ...(schema.items === undefined ? [] : placesIn(route, schema.items, [...path, "[0]"], label)),
  ]
}

const formsOf = ({ anyOf, oneOf }: Schema) => anyOf ?? oneOf ?? []
const valuesOf = ({ const: only, enum: all = only === undefined ? [] : [only] }: Schema) => all

/** The name at the end of a path, alone and with its route. */
function namesOf(route: Route, path: Path): [name: string, key: string] {
  const name = path.findLast((step) => !/^[|[]/.test(step)) ?? ""
  return [name, `${route.name} ${name}`]
}

const kindOfPrefix = new Map(Object.entries(idPrefix).map(([kind, prefix]): [string, string] => [prefix, kind]))
/** Kinds that descriptions of the OpenAPI document call by another word. */
const kindOfWord: Record<string, IdKind> = { entry: "memory", run: "scheduleRun", thread: "reviewThread" }

/** The kinds of ids that a schema takes; none for a value that is no id itself, such as a list of ids. */
function kindsOf(route: Route, schema: Schema, path: Path): IdKind[] {
  const [name, key] = namesOf(route, path)
  if (isNotTried(route, path)) return []
  const types = [schema, ...formsOf(schema)].map(({ type }) => type)
  const named = kindsOfNames[key] ?? (types.includes("string") ? kindsOfNames[name] : undefined)
  if (named !== undefined) return named
  // An id, or the number that people see.
  if (types.includes("string") && types.includes("integer")) return [name, `${name}Number`].filter(isKind)
  const said = /^(?:an? |the )?(\w+)(?: or (\w+))?(?:'s)? (id|number)\b/.exec(schema.description ?? "")
  const words = said?.slice(1, 3).filter((word) => word !== undefined) ?? []
  const kinds = words.map((word) => (kindOfWord[word] ?? word) + (said?.[3] === "number" ? "Number" : ""))
  const kind = kindOfPrefix.get(/^\^([a-z]{3})_/.exec(schema.pattern ?? "")?.[1] ?? "")
  if (kind !== undefined && !isKind(kind))
    throw new Error(`${key} takes ids of a ${kind}: write into \`idKinds\` where they are.`)
  return (kind === undefined ? kinds : [kind]).filter(isKind)
}

const isKind = (word: string): word is IdKind => word in idKinds

function isNotTried(route: Route, path: Path): boolean {
  return namesOf(route, path).some((name) => name in notTried)
}

interface Given {
  /** Where the id is; null for a call without one. */
  path: Path | null
  kind?: IdKind
  id?: Id
  own?: OwnIds
  /** Whether it has optional names too (`sentToo`). */
  isFull: boolean
}

/** An input with the id in its place, and with everything else that the schema requires. */
function sampleFor(route: Route, { path: place, kind, id, own, isFull }: Given): unknown {
  /** `left`: the remaining steps to the id; null for a value that is not on the way to it. */
  const at = (schema: Schema, path: Path, left: Path | null): unknown => {
    if (left?.length === 0) return schema.type === "string" && kind?.endsWith("Number") ? `${id}` : id
    const beside = left === null ? valueBeside(route, schema, { path, own }) : undefined
    if (beside !== undefined) return beside
    const [step = "", ...rest] = left ?? []
    const form = step.startsWith("|") ? Number(step.slice(1)) : 0
    const branch = formsOf(schema)[form]
    if (branch !== undefined) return at(branch, [...path, `|${form}`], left && rest)
    if (schema.items !== undefined) return [at(schema.items, [...path, "[0]"], left && rest)]
    if (schema.properties === undefined) return plain(schema)
    const members = Object.entries(schema.properties).map(([name, one]) => {
      const isOnTheWay = left !== null && name === step
      if (!isOnTheWay && !isSent(schema, name, one)) return []
      return [[name, at(one, [...path, name], isOnTheWay ? rest : null)]]
    })
    return Object.fromEntries(members.flat())
  }
  const isSent = ({ required = [] }: Schema, name: string, schema: Schema) =>
    required.includes(name) ||
    `${route.name} ${name}` in values ||
    (isFull && sentToo.has(name) && (values[name]?.some((one) => fits(one, schema)) ?? true))
  return at(route.schema, [], place)
}

/** The caller's own id, what `values` say, or the first choice; undefined for anything else. */
function valueBeside(route: Route, schema: Schema, { path, own }: { path: Path; own: OwnIds | undefined }): unknown {
  const [name, key] = namesOf(route, path)
  const [kind] = kindsOf(route, schema, path)
  if (kind === undefined) return (values[key] ?? values[name])?.find((one) => fits(one, schema)) ?? valuesOf(schema)[0]
  const id = new Map<string, Id>(Object.entries(own ?? {})).get(kind)
  if (id === undefined) throw new Error(`${key} is a ${kind} beside the id that is tried: add it to \`besideKinds\`.`)
  return id
}

function fits(value: unknown, schema: Schema): boolean {
  const choices = valuesOf(schema)
  if (choices.length > 0) return choices.includes(value)
  const type = typeof value === "number" ? /number|integer/ : new RegExp(typeof value)
  return type.test(String(schema.type)) || formsOf(schema).some((form) => fits(value, form))
}

/** The least value of a type, or `planted`. */
function plain({ type, pattern, minimum = 1 }: Schema): unknown {
  const digits = Number(/\{(\d+)\}\$$/.exec(pattern ?? "")?.[1] ?? 0)
  const [first] = [type].flat()
  if (first === "string") return digits > 0 ? "0".repeat(digits) : planted
  if (first === "number" || first === "integer") return Math.max(minimum, 0)
  if (first === "object") return {}
  return first === "boolean" ? true : first === "null" ? null : undefined
}
