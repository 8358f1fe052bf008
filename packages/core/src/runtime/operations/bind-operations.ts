import { keyedID } from "../../ground/id/keyed-id.ts"
import type { CallerServices } from "../caller-services.ts"
import type { KeyedRequests } from "../requests.ts"
import type { Sight } from "../sight.ts"
import { visiblePage } from "../visible-pages.ts"
import { type AnyOperation, isOperation, type Operation, type OperationTree } from "./operation.ts"

/** What the operations of one caller are done with. */
interface BoundTo {
  services: CallerServices
  /** Null where everybody sees everything. */
  sight: Sight | null
  /** Does something while the caller is a member; null where nobody is removed. */
  whileMember: ((act: () => Promise<unknown>) => Promise<unknown>) | null
  /** Null for a request without a key. */
  requests: KeyedRequests | null
}

/** Operations as a caller has them, by name. Each takes its input as its schema gives it. */
export type BoundOperations<T> = {
  [N in keyof T]: T[N] extends Operation<"query" | "mutation", infer _Input, infer Parsed, infer Output>
    ? (...input: undefined extends Parsed ? [] : [input: Parsed]) => Promise<Output>
    : BoundOperations<T[N]>
}

/**
 * Every operation as one caller has it. A request with a key that was answered is looked up first. Then what is hidden from
 * the caller is not there, and what goes on by itself is begun by members alone.
 */
export function bindOperations<T extends OperationTree>(tree: T, to: BoundTo, prefix = ""): BoundOperations<T> {
  const bound = Object.entries(tree).map(([name, one]) => [
    name,
    isOperation(one) ? bindOperation(one, to, prefix + name) : bindOperations(one, to, `${prefix}${name}.`),
  ])
  // As `T` has it: each entry is bound under its own name.
  return Object.fromEntries(bound) as BoundOperations<T>
}

function bindOperation(operation: AnyOperation, to: BoundTo, name: string): (input: unknown) => Promise<unknown> {
  const { requests } = to
  const { idempotent } = operation
  return async (input) => {
    if (requests === null || idempotent === "no") return perform(operation, to, { input, id: undefined })
    if (idempotent === "remembered")
      return requests.keep(name, input, () => perform(operation, to, { input, id: undefined }))
    return requests.run(name, input, (request) =>
      perform(operation, to, { input, id: keyedID(idempotent.row, request) }),
    )
  }
}

async function perform(
  { target, member, run, lists, pages }: AnyOperation,
  { services, sight, whileMember }: BoundTo,
  { input, id }: { input: unknown; id: string | undefined },
): Promise<unknown> {
  // Here and below, `as never`: what an operation takes and gives is known by its own types alone.
  const of = target?.(input as never) ?? null
  if (sight !== null && of !== null) await sight.check(of.kind, of.ref)
  const act = (given: unknown) => run(services, given as never, { id })
  if (sight !== null && lists !== undefined) {
    const hidden = await sight.hidden()
    return ((await act(input)) as never[]).filter((item) => !hidden.has(lists(item) ?? ""))
  }
  if (sight !== null && pages !== undefined) {
    const { usual, names: [items, next] = ["items", "cursor"], rootOf } = pages
    const { limit = usual, cursor = null } = input as { limit?: number; cursor?: string }
    let answer: Record<string, unknown> = {}
    const read = async (size: number, from: string | undefined) => {
      answer = (await act({ ...(input as object), limit: size, cursor: from })) as typeof answer
      return { items: answer[items] as never[], cursor: answer[next] as string | null }
    }
    const page = await visiblePage(sight, { limit, cursor }, { read, rootOf })
    return { ...answer, [items]: page.items, [next]: page.cursor }
  }
  return member && whileMember !== null ? whileMember(() => act(input)) : act(input)
}
