import type { CreateTryLimit } from "@docket/api"
import { createKeyedQueue, type InOrder } from "@docket/core"
import { type CreateTryCounter, countersInMemory } from "../team/try-counter.ts"
import type { OpenedNode } from "./open-node.ts"

/** What nodes have in common; undefined for a process that is alone. */
type OverNodes = Pick<OpenedNode, "clock" | "inOrder" | "createTries"> | undefined

interface Held {
  clock(): number
  inOrder: InOrder
  createCounter: CreateTryCounter
}

/** The clock, the order and the counters of accounts: over all nodes, or of a process that is alone. */
export function heldOverNodes(nodes: OverNodes): Held {
  if (nodes === undefined) return alone()
  const { clock, inOrder, createTries } = nodes
  return {
    ...{ clock, inOrder },
    createCounter(name, options) {
      const tries = createTries(name, options)
      const take = async (key: string) => {
        const wait = await tries.take(key)
        return wait === null ? null : Math.max(1, Math.ceil(wait / 1_000))
      }
      return { ...tries, take }
    },
  }
}

function alone(): Held {
  const clock = () => Date.now()
  return { clock, inOrder: createKeyedQueue(), createCounter: countersInMemory(clock) }
}

/** The limit of passwords that are tried on links. Over nodes, all tries come back together. */
export function tryLimitOver(nodes: OverNodes): CreateTryLimit | undefined {
  return nodes && ((name, { most, refillMs }) => nodes.createTries(name, { most, windowMs: most * refillMs }))
}
