import type { Task } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/port/index.ts"

/** A store whose process can be made to crash. */
export interface DyingStore {
  store: Store
  /** The process crashes when it begins the next write after this many. */
  dieAfter(writes: number): void
  /** Resolves when the process has crashed and its earlier writes are stored. */
  dead: Promise<void>
}

/** Names of the methods of all ports that write. */
const writes = /^(?:commit|change|claim|close|reserve|put|remove|add|publish|visit|begin|tell|update|prune)/

/**
 * After the crash no call returns any more and no write begins, even if it was queued. `record` is called for each
 * stored task.
 */
export function dyingStore(real: Store, record: (task: Task) => void): DyingStore {
  const death = Promise.withResolvers<void>()
  let remaining = Number.POSITIVE_INFINITY
  let isDead = false
  let underWay = 0
  const never = new Promise<never>(() => {})
  const commit: Store["write"]["commit"] = async (batches) => {
    const changes = await real.write.commit(batches)
    for (const change of changes) if (change.kind === "task") record(change.value)
    return changes
  }
  const call = async (name: string, run: () => unknown): Promise<unknown> => {
    if (!writes.test(name)) {
      const answer = isDead ? never : await run()
      return isDead ? never : answer
    }
    isDead ||= remaining-- <= 0
    if (isDead) {
      if (underWay === 0) death.resolve()
      return never
    }
    underWay += 1
    try {
      const answer = await run()
      return isDead ? never : answer
    } finally {
      underWay -= 1
      if (isDead && underWay === 0) death.resolve()
    }
  }
  const mortal = <P extends object>(port: P): P =>
    new Proxy(port, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== "function") return member
        return (...args: unknown[]) => call(String(name), () => Reflect.apply(member, target, args))
      },
    })
  const store = new Proxy(
    { ...real, write: { ...real.write, commit } },
    {
      get(target, name) {
        const member: unknown = Reflect.get(target, name)
        return typeof member === "object" && member !== null ? mortal(member) : member
      },
    },
  )
  return {
    store,
    dead: death.promise,
    dieAfter(count) {
      remaining = count
    },
  }
}
