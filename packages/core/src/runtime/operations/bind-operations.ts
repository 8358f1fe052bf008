import { isDocketError } from "../../ground/error/docket-error.ts"
import { findOrMake } from "../../ground/id/find-or-make.ts"
import { keyedID } from "../../ground/id/keyed-id.ts"
import type { Caller } from "../../ground/schema/index.ts"
import type { CallerServices } from "../caller-services.ts"
import type { KeyedRequests } from "../requests.ts"
import type { SeenRef, TreeVisibility } from "../tree-visibility.ts"
import { type Asker, anybody } from "./asker.ts"
import {
  type AnyOperation,
  type Call,
  type FoundRow,
  isOperation,
  type Kind,
  type Operation,
  type OperationTree,
  type Target,
} from "./operation.ts"

/** What the operations of one caller need. */
interface BoundTo {
  caller: Caller
  services: CallerServices
  /** Null where everybody sees everything. */
  visibility: TreeVisibility | null
  /** Does something only while the caller is a member; null where members are never removed. */
  whileMember: ((act: () => Promise<unknown>) => Promise<unknown>) | null
  /** Null for a request without a key. */
  requests: KeyedRequests | null
  /** Carries out what needs the files of another host; null where there is only one. */
  hosts: OtherHosts | null
  /** Finds rows that requests with a key made. */
  rows: Record<FoundRow, { get(id: string): Promise<unknown> }>
}

/** The hosts of other nodes, for one caller. */
export interface OtherHosts {
  /** The place whose files the operation needs; null when this node has them, or it needs none. */
  placeOf(named: { targets: readonly (SeenRef | null)[]; input: unknown }): Promise<string | null>
  /**
   * The place whose directories an operation means that names none of a project; null for those of this node. @throws
   * host_away, invalid_input
   */
  placeOfDirectory(input: unknown): Promise<string | null>
  /** Whether nodes keep contents for each other. */
  hasContents: boolean
  /** @throws host_away when no node of the place answers */
  call(place: string, name: string, request: { input: unknown; asker: Asker; key?: string }): Promise<unknown>
  /** The caller's request under its key, or under a new one when it has none. */
  keyed(): { key: string; requests: KeyedRequests }
}

/** The operations of a caller, by name. Each takes its parsed input. */
export type BoundOperations<T> = {
  [N in keyof T]: T[N] extends Operation<Kind, infer _Input, infer Parsed, infer Output>
    ? (
        ...input: undefined extends Parsed
          ? [input?: Parsed, asker?: Partial<Asker>]
          : [input: Parsed, asker?: Partial<Asker>]
      ) => Promise<Output>
    : BoundOperations<T[N]>
}

/**
 * Binds every operation to one caller. A request with a key that was answered before gets the same answer. Otherwise,
 * what is hidden from the caller is not found, and only members start work that goes on by itself.
 */
export function bindOperations<T extends OperationTree>(tree: T, to: BoundTo, prefix = ""): BoundOperations<T> {
  const bound = Object.entries(tree).map(([name, one]) => [
    name,
    isOperation(one) ? bindOperation(one, to, prefix + name) : bindArea(one, to, `${prefix}${name}.`),
  ])
  // As `T` has it: each entry is bound under its own name.
  return Object.fromEntries(bound) as BoundOperations<T>
}

const boundTo = Symbol("boundTo")
const areas = new WeakMap<OperationTree, object>()

/** Binds each operation of an area when it is first used, because a request uses one of hundreds. */
function bindArea(tree: OperationTree, to: BoundTo, prefix: string): object {
  const known = areas.get(tree) ?? lazyArea(tree, prefix)
  areas.set(tree, known)
  return Object.create(known, { [boundTo]: { value: to } })
}

function lazyArea(tree: OperationTree, prefix: string): object {
  const getters = Object.entries(tree).map(([name, one]) => {
    const get = function (this: { [boundTo]: BoundTo }) {
      const to = this[boundTo]
      const value = isOperation(one) ? bindOperation(one, to, prefix + name) : bindArea(one, to, `${prefix}${name}.`)
      Object.defineProperty(this, name, { value })
      return value
    }
    return [name, { get, enumerable: true }]
  })
  return Object.create(null, Object.fromEntries(getters))
}

type AnyUse = (input: unknown, given?: Partial<Asker>) => Promise<unknown>

function bindOperation(operation: AnyOperation, to: BoundTo, name: string): AnyUse {
  const here = bindHere(operation, to, name)
  const { hosts } = to
  if (hosts === null || operation.needs === "rows") return here
  return async (input, given) => {
    const needs = typeof operation.needs === "function" ? operation.needs(input as never) : operation.needs
    if (needs === "rows") return here(input, given)
    const place =
      needs === "directories"
        ? await hosts.placeOfDirectory(input)
        : await hosts.placeOf({ targets: targetsOf(operation, input), input })
    if (place === null) return here(input, given)
    const asker = { ...anybody(to.caller), ...given }
    if (needs === "contents" && hosts.hasContents) {
      return here(input, given).catch((error: unknown) => {
        if (!isDocketError(error) || !onlyThere.has(error.code)) throw error
        return hosts.call(place, name, { input, asker }).catch((answer: unknown) => {
          const isAway = isDocketError(answer) && answer.code === "host_away"
          // Why it cannot be read here says more, unless only the host has ever had it.
          throw isAway && error.code.startsWith("content") ? error : answer
        })
      })
    }
    if (needs === "contents-if-away" && hosts.hasContents) {
      return hosts.call(place, name, { input, asker }).catch((error: unknown) => {
        if (!isDocketError(error) || error.code !== "host_away") throw error
        return here(input, given)
      })
    }
    if (needs !== "files-if-there") return hosts.call(place, name, { input, asker })
    const { key, requests } = hosts.keyed()
    try {
      return await hosts.call(place, name, { input, asker, key })
    } catch (error) {
      if (!isDocketError(error) || error.code !== "host_away") throw error
      // The host may have done it before it went away: under the same key, it is done once.
      return bindHere(operation, { ...to, requests }, name)(input, given)
    }
  }
}

/** What a node says of a content that perhaps only the host has which made it. */
const onlyThere: ReadonlySet<string> = new Set([
  "output_not_found",
  "attachment_not_found",
  "content_missing",
  "blobs_unavailable",
])

function bindHere(operation: AnyOperation, to: BoundTo, name: string): AnyUse {
  const { requests, rows } = to
  const { idempotent } = operation
  return async (input, given) => {
    const asker = { ...anybody(to.caller), ...given }
    const act = (id?: string, request?: string) =>
      perform(operation, to, { input, id, request, caller: to.caller, asker })
    if (requests === null || idempotent === "no") return act()
    if (idempotent === "remembered") return requests.keep(name, input, () => act())
    // `as never`, here and below: only the operation's own types know what it takes and gives.
    if ("remembered" in idempotent) return requests.keep(name, idempotent.remembered(input as never), () => act())
    const { as = { name, input: () => input } } = idempotent
    return requests.run(as.name, as.input(input as never), (request) => {
      const id = keyedID(idempotent.row, request)
      if (idempotent.finds === true) return act(id, request)
      const rowsOfKind = rows[idempotent.row]
      return findOrMake(
        () => rowsOfKind.get(id),
        () => act(id, request),
      )
    })
  }
}

/** The kinds of rows that these names of an input refer to. Rows of any other name are checked only by `target`. */
export const usualNames: Record<string, SeenRef["kind"]> = {
  sessionID: "session",
  rootID: "session",
  childID: "session",
  taskID: "task",
  turnID: "turn",
  partID: "part",
  threadID: "thread",
  commentID: "comment",
  draftID: "draft",
  requestID: "request",
  deliveryID: "delivery",
  shareID: "share",
  todo: "todo",
  memory: "memory",
  schedule: "schedule",
}

function namedIn(input: unknown): Target {
  return Object.entries(Object(input)).flatMap(([name, ref]) => {
    const kind = Object.hasOwn(usualNames, name) ? usualNames[name] : undefined
    return kind !== undefined && (typeof ref === "string" || typeof ref === "number") ? [{ kind, ref }] : []
  })
}

function targetsOf({ target = namedIn }: AnyOperation, input: unknown): (SeenRef | null)[] {
  return [target?.(input as never) ?? null].flat()
}

async function perform(
  operation: AnyOperation,
  { services, visibility, whileMember }: BoundTo,
  { input, ...call }: Omit<Call, "visibility"> & { input: unknown },
): Promise<unknown> {
  const { member, run, lists, pages, newest } = operation
  const act = (given: unknown) => run(services, given as never, { ...call, visibility })
  if (visibility !== null) {
    for (const one of targetsOf(operation, input)) if (one !== null) await visibility.check(one.kind, one.ref)
    if (lists !== undefined) {
      const hidden = await visibility.hidden()
      return ((await act(input)) as never[]).filter((item) => !hidden.has(lists(item) ?? ""))
    }
    if (newest !== undefined) {
      const { usual, most, sessionOf } = newest
      const { limit = usual } = input as { limit?: number }
      const read = async (size: number) => (await act({ ...(input as object), limit: size })) as never[]
      return visibleFirst(visibility, { limit, most }, { read, sessionOf })
    }
    if (pages !== undefined) return seenPage(visibility, pages, { input: input as object, act })
  }
  return member && whileMember !== null ? whileMember(() => act(input)) : act(input)
}

async function seenPage(
  visibility: TreeVisibility,
  { usual, names, rootOf }: NonNullable<AnyOperation["pages"]>,
  { input, act }: { input: { limit?: number; cursor?: string }; act(input: object): Promise<unknown> },
): Promise<unknown> {
  const [items, next] = names ?? ["items", "cursor"]
  const { limit = usual, cursor = null } = input
  let answer: Record<string, unknown> = {}
  const read = async (size: number, from: string | undefined) => {
    answer = (await act({ ...input, limit: size, cursor: from })) as typeof answer
    return { items: answer[items] as never[], cursor: answer[next] as string | null }
  }
  const page = await visiblePage(visibility, { limit, cursor }, { read, rootOf })
  return { ...answer, [items]: page.items, [next]: page.cursor }
}

/** How many pages of hidden items are skipped before an incomplete page is returned. */
const maxPages = 50

/** A page without hidden items, filled up from the following pages. */
async function visiblePage<T>(
  visibility: TreeVisibility,
  query: { limit: number; cursor: string | null },
  {
    read,
    rootOf,
  }: {
    read(limit: number, cursor: string | undefined): Promise<{ items: T[]; cursor: string | null }>
    rootOf(item: T): string
  },
): Promise<{ items: T[]; cursor: string | null }> {
  const trees = await visibility.hidden()
  const items: T[] = []
  let { cursor } = query
  for (let pages = 0; pages < maxPages; pages++) {
    const page = await read(query.limit - items.length, cursor ?? undefined)
    items.push(...page.items.filter((item) => !trees.has(rootOf(item))))
    cursor = page.cursor
    if (cursor === null || items.length >= query.limit) break
  }
  return { items, cursor }
}

/** The first visible items of a list: reads more until there are enough, or no more. */
async function visibleFirst<T>(
  visibility: TreeVisibility,
  { limit, most }: { limit: number; most: number },
  { read, sessionOf }: { read(limit: number): Promise<T[]>; sessionOf(item: T): string | null },
): Promise<T[]> {
  for (let size = Math.min(limit, most); ; size = Math.min(size * 4, most)) {
    const all = await read(size)
    const hidden = await visibility.hiddenSessions(all.map(sessionOf))
    const seen = all.filter((item) => !hidden.has(sessionOf(item) ?? ""))
    const isAll = all.length < size || size >= most
    if (seen.length >= limit || isAll) return seen.slice(0, limit)
  }
}
