import { createHash } from "node:crypto"
import { z } from "zod"
import { pause } from "../ground/concurrency/pause.ts"
import type { Caller } from "../ground/schema/index.ts"
import type { Vault } from "../ground/secret/vault.ts"
import { asText, fromText } from "./as-text.ts"

/** How long (ms), and how many, answers of requests without a row of their own are cached. */
const kept = { forMs: 10 * 60_000, most: 1_000 }

/** The requests of one caller under one key. */
export interface KeyedRequests {
  /**
   * Runs `work` for this use case and input. The same request during that time gets the same answer. `id` identifies
   * the request.
   */
  run<T>(useCase: string, input: unknown, work: (id: string) => Promise<T>): Promise<T>
  /** The same, but a later request gets the cached answer too. */
  keep<T>(useCase: string, input: unknown, work: () => Promise<T>): Promise<T>
}

export interface RequestsDeps {
  clock(): number
  /** Set where other nodes may get the same request. */
  nodes?: RequestNodes | undefined
  onError(error: unknown): void
}

interface RequestNodes {
  /** Keeps the answers: a share's link is in one, and the rows of shares have only its hash. */
  vault: Pick<Vault, "all" | "change">
  /** The name of this node. */
  runner: string
  isAlive(runner: string): boolean
}

/** Recognises repeated requests by their key, caller, use case and input. */
export function createRequests(deps: RequestsDeps): (caller: Caller, key: string) => KeyedRequests {
  const { clock, nodes } = deps
  const running = new Map<string, Promise<unknown>>()
  /** Oldest first. */
  const answers = new Map<string, { at: number; answer: unknown }>()
  const run = <T>(id: string, work: () => Promise<T>): Promise<T> => {
    const earlier = running.get(id)
    // `as` here and below: the id contains the use case, whose answers have one type.
    if (earlier !== undefined) return earlier as Promise<T>
    const answer = work().finally(() => running.delete(id))
    running.set(id, answer)
    return answer
  }
  const forget = () => {
    const end = clock() - kept.forMs
    for (const [id, { at }] of answers) if (at <= end || answers.size > kept.most) answers.delete(id)
  }
  return ({ workspace, person }, key) => {
    const idOf = (useCase: string, input: unknown) =>
      createHash("sha256")
        .update(JSON.stringify([workspace, person, key, useCase, input]))
        .digest("hex")
    return {
      run(useCase, input, work) {
        const id = idOf(useCase, input)
        return run(id, () => work(id))
      },
      keep<T>(useCase: string, input: unknown, work: () => Promise<T>) {
        const id = idOf(useCase, input)
        if (nodes !== undefined) return run(id, () => onceForNodes(deps, nodes, { id, work }))
        forget()
        const earlier = answers.get(id)
        if (earlier !== undefined) return Promise.resolve(earlier.answer as T)
        return run(id, async () => {
          const answer = await work()
          answers.set(id, { at: clock(), answer })
          return answer
        })
      },
    }
  }
}

/** A request of any node: who answers it, and the answer when there is one. */
const KeptRequest = z.object({ by: z.string(), at: z.number(), answer: z.string().optional() })
type KeptRequest = z.infer<typeof KeptRequest>

const kind = "request"
/** How often a node looks whether another one has answered (ms). */
const lookMs = 50

/** The answer that a node gave, or that of `work`, which only one node at a time does. */
async function onceForNodes<T>(
  { clock, onError }: RequestsDeps,
  { vault, runner, isAlive }: RequestNodes,
  { id, work }: { id: string; work: () => Promise<T> },
): Promise<T> {
  const isTaken = (request: KeptRequest | null): request is KeptRequest =>
    request !== null &&
    (request.answer === undefined ? request.by !== runner && isAlive(request.by) : !isOld(request, clock()))
  while (true) {
    const before = keptRequest(
      await vault.change(kind, id, (found) => (isTaken(keptRequest(found)) ? found : { by: runner, at: clock() })),
    )
    if (!isTaken(before)) break
    if (before.answer !== undefined) return fromText<T>(before.answer)
    await pause(lookMs, new AbortController().signal)
  }
  // What failed, or died with its node, is done again when it is asked for again.
  const keep = (request: KeptRequest | null) => vault.change(kind, id, () => request).catch(onError)
  try {
    const answer = await work()
    await keep({ by: runner, at: clock(), answer: asText(answer) })
    return answer
  } catch (error) {
    await keep(null)
    throw error
  }
}

function keptRequest(value: unknown): KeptRequest | null {
  return KeptRequest.safeParse(value).data ?? null
}

function isOld({ at }: KeptRequest, now: number): boolean {
  return at <= now - kept.forMs
}

/** Removes what the nodes keep of requests for too long. */
export async function forgetRequests(vault: Pick<Vault, "all" | "change">, now: number): Promise<void> {
  for (const name of (await vault.all(kind)).keys()) {
    await vault.change(kind, name, (found) => {
      const request = keptRequest(found)
      return request === null || isOld(request, now) ? null : found
    })
  }
}
