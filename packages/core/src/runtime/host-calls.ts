import { randomUUID } from "node:crypto"
import { DocketError, type DocketErrorCode, isDocketError } from "../ground/error/docket-error.ts"
import type { AwaitedHost, Caller, NamedPlace, TodoActor } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"
import { asText, fromText } from "./as-text.ts"
import { type Capability, capabilities } from "./operations/access-table.ts"
import { type Asker, anybody } from "./operations/asker.ts"
import type { OtherHosts } from "./operations/bind-operations.ts"
import type { KeyedRequests } from "./requests.ts"
import { rootOfSeen, type SeenRef } from "./tree-visibility.ts"

/** How nodes reach each other's hosts. */
export interface HostLink {
  /** The places whose files this node has. */
  places: readonly string[]
  /**
   * Resolves with the answer of a node of the place to a request, which `Runtime.answer` gave. @throws host_away
   */
  call(place: string, request: string, signal: AbortSignal | null): Promise<string>
  /** What work at each of these places waits for; a place where a node takes work is left out. */
  awaited(places: readonly string[]): Promise<ReadonlyMap<string, AwaitedHost>>
  /** The places with directories, of which a node answers. */
  directories(): Promise<NamedPlace[]>
  /** Calls `changed` after a place has got or lost what `awaited` says of it. The returned function ends that. */
  watch(changed: () => void): () => void
}

/** One call of an operation that another node carries out. */
interface HostCall {
  name: string
  input: unknown
  caller: Caller
  /** The key of the request, by which it is recognised when it is sent again. */
  key: string | undefined
  actor: TodoActor
  origin: string
  /** What the caller may not do, each with the refusal. */
  mayNot: Partial<Record<Capability, string>>
}

type Answer =
  | { value: unknown; notes: Record<string, string>[] }
  | { code: DocketErrorCode; message: string; notes: Record<string, string>[] }
  /** It failed in a way that nobody expects. */
  | { failed: string; notes: Record<string, string>[] }

/** Carries out an operation for a caller. */
export type CallOperation = (call: {
  name: string
  input: unknown
  caller: Caller
  key: string | undefined
  asker: Partial<Asker>
}) => Promise<unknown>

/** The other hosts, for a caller and the key of the request. */
export function otherHosts(
  store: Store,
  link: HostLink,
  {
    caller,
    key,
    hasContents,
    requestsOf,
  }: Pick<HostCall, "caller" | "key"> & Pick<OtherHosts, "hasContents"> & { requestsOf(key: string): KeyedRequests },
): OtherHosts {
  return {
    hasContents,
    async placeOf({ targets, input }) {
      const place = (await placeOfTargets(store, targets)) ?? (await placeOfProject(store, input)) ?? ""
      return place === "" || link.places.includes(place) ? null : place
    },
    placeOfDirectory: (input) => placeOfDirectory(store, link, input),
    call: (place, name, { input, asker, key: own = key }) =>
      callHost(link, place, { ...{ name, input, caller, asker }, key: own }),
    keyed() {
      const used = key ?? randomUUID()
      return { key: used, requests: requestsOf(used) }
    },
  }
}

type AnyUse = (input: unknown, asker: Partial<Asker>) => Promise<unknown>

/** The operation of this name among those of a caller. @throws invalid_input when a newer node has it, and this one not */
export function operationNamed(operations: object, name: string): AnyUse {
  let found: unknown = operations
  for (const part of name.split(".")) found = Object(found)[part]
  // `as`: what `bindOperations` binds, under the name that it gave to `OtherHosts.call`.
  if (typeof found === "function") return found as AnyUse
  throw new DocketError("invalid_input", `The node with the files does not know ${name}. Upgrade it.`)
}

async function placeOfTargets(store: Store, targets: readonly (SeenRef | null)[]): Promise<string | null> {
  for (const target of targets) {
    const rootID = target && (await rootOfSeen(store, target))
    if (rootID) return placeOfTree(store, rootID)
    if (target?.kind === "schedule") return placeOfSchedule(store, target.ref)
  }
  return null
}

/** A tree of a repository may be worked on anywhere, but its files are on the host that worked on it last. */
async function placeOfTree({ tree, session }: Pick<Store, "tree" | "session">, rootID: string): Promise<string | null> {
  const place = await tree.place(rootID)
  if (place !== "any") return place
  const host = (await session.get(rootID))?.repository?.host
  return host ? `host:${host}` : place
}

/** Of one that starts a new session for each run. */
async function placeOfSchedule({ schedule, project }: Store, ref: string | number): Promise<string | null> {
  const found = await (typeof ref === "number" ? schedule.byNumber(ref) : schedule.get(ref))
  return found === null ? null : ((await project.get(found.projectID))?.place ?? null)
}

async function placeOfProject(store: Store, input: unknown): Promise<string | null> {
  const { projectID }: { projectID?: unknown } = Object(input)
  if (typeof projectID !== "string") return null
  return (await store.project.get(projectID))?.place ?? null
}

/** @throws host_away without any worker, invalid_input when there are several and none is named */
async function placeOfDirectory(store: Store, link: HostLink, input: unknown): Promise<string | null> {
  const { directory, place }: { directory?: unknown; place?: unknown } = Object(input)
  if (typeof place === "string") return link.places.includes(place) ? null : place
  if (link.places.length > 0) return null
  const all = await link.directories()
  const [first, ...others] = all
  if (first === undefined)
    throw new DocketError("host_away", "No worker is there that has directories. Start one: docket serve --role worker")
  if (others.length === 0 || directory === undefined) return first.place
  const known = (await store.project.list()).filter((project) => project.directory === directory)
  const [only, ...more] = all.filter((each) => known.some((project) => project.place === each.place))
  if (only !== undefined && more.length === 0) return only.place
  const names = all.map(({ name, place: its }) => `${name} (${its})`).join(", ")
  throw new DocketError("invalid_input", `Several hosts have directories: name one as place. There are ${names}.`)
}

/** The place of a tree's files; null when they are here. */
export async function placeElsewhere(
  store: Pick<Store, "tree" | "session">,
  link: Pick<HostLink, "places"> | undefined,
  rootID: string,
): Promise<string | null> {
  const place = link === undefined ? "" : ((await placeOfTree(store, rootID)) ?? "")
  return place === "" || link?.places.includes(place) ? null : place
}

/** Asks a node of the place for what no person asked for. @throws host_away */
export function askHost(link: HostLink, place: string, name: string, input: unknown): Promise<unknown> {
  const caller = { person: "docket", workspace: "" }
  return callHost(link, place, { ...{ name, input, caller, key: undefined }, asker: anybody(caller) })
}

/** Asks a node of the place to carry out an operation. @throws what the operation throws there; host_away */
async function callHost(
  link: HostLink,
  place: string,
  { asker, ...call }: Pick<HostCall, "name" | "input" | "caller" | "key"> & { asker: Asker },
): Promise<unknown> {
  const request: HostCall = { ...call, mayNot: refusalsOf(asker), actor: asker.actor, origin: asker.origin }
  const answer = fromText<Answer>(await link.call(place, asText(request), asker.signal))
  for (const note of answer.notes) asker.note?.(note)
  if ("code" in answer) throw new DocketError(answer.code, answer.message)
  if ("failed" in answer) throw new Error(answer.failed)
  return answer.value
}

function refusalsOf(asker: Asker): HostCall["mayNot"] {
  const refused = capabilities.filter((capability) => !asker.may(capability))
  return Object.fromEntries(refused.map((capability) => [capability, refusalOf(asker, capability)]))
}

function refusalOf(asker: Asker, capability: Capability): string {
  try {
    asker.requireOwn(undefined, capability)
    return "It is somebody else's."
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Carries out the request of another node. Never rejects: failures are part of the answer. */
export async function answerCall(
  request: string,
  operate: CallOperation,
  onError: (error: unknown) => void,
): Promise<string> {
  const { mayNot, actor, origin, ...call } = fromText<HostCall>(request)
  const notes: Record<string, string>[] = []
  const asker: Partial<Asker> = {
    ...{ actor, origin, may: (capability) => mayNot[capability] === undefined },
    note: (targets) => void notes.push(targets),
    requireOwn(by, capability) {
      const refusal = mayNot[capability]
      if (by?.person !== call.caller.person && refusal !== undefined) throw new DocketError("forbidden", refusal)
    },
  }
  try {
    return asText({ value: await operate({ ...call, asker }), notes } satisfies Answer)
  } catch (error) {
    if (isDocketError(error)) return asText({ code: error.code, message: error.message, notes } satisfies Answer)
    onError(error)
    return asText({ failed: String(error), notes } satisfies Answer)
  }
}
