import type { HeldTrees } from "../engine/turn/held-trees.ts"
import type { SessionQueues } from "../engine/turn/session-queues.ts"
import { orAborted } from "../ground/concurrency/or-aborted.ts"
import { TreeLostError } from "../ground/error/docket-error.ts"
import type { Task, Turn } from "../ground/schema/index.ts"
import type { Store } from "../ground/store/index.ts"

/** A tree that an engine gave to this node. */
export interface TreeToWorkOn {
  rootID: string
  /** Another node had it before, and may have died with it. */
  wasHeld: boolean
  /** Aborts when another node may have the tree: everything in it stops here, and nothing more of it is stored. */
  signal: AbortSignal
}

/** The trees that this node works on. One node works on a tree at a time; an engine decides which. */
export interface TreeWork extends HeldTrees {
  /** Runs all open turns of the tree, also those that come meanwhile. Resolves when there is nothing left to do. */
  workOn(tree: TreeToWorkOn): Promise<void>
  /** Another runtime has stored the turn. It is run if it waits in a tree that is held here. */
  heard(turn: Turn): void
}

interface TreeWorkDeps {
  store: Pick<Store, "turn" | "task">
  sessionQueues: Pick<SessionQueues, "add" | "idle" | "abandon">
  /** Follows the rows of the tree until the returned function is called. */
  follow(rootID: string): Promise<() => void>
  /** Whether this process has the open task in its memory. */
  isKnown(task: Task): boolean
  /** The tree is lost: this process forgets its tasks, and ends what else it runs for it. */
  lost(rootID: string): void
  /** Puts right what a dead node left open in the tree, and goes on with it. */
  takeUp(rootID: string): Promise<void>
}

interface Held {
  /** What others left is put right: turns run as they come. Before that, a new one would wait for those that were left. */
  isTakenUp: boolean
  /** The turns that came before that. */
  early: Turn[]
  /** How many turns are being stored here at this moment. */
  storing: number
  /** Resolves when none is. */
  stored: Promise<unknown>
  /** Resolves when this node has let the tree go. */
  left: PromiseWithResolvers<void>
}

export function createTreeWork({ store, sessionQueues, follow, isKnown, lost, takeUp }: TreeWorkDeps): TreeWork {
  const trees = new Map<string, Held>()
  const takes = (turn: Turn) => {
    const held = trees.get(turn.rootID)
    if (held?.isTakenUp === false) held.early.push(turn)
    return held?.isTakenUp === true
  }
  const open = (rootID: string) => store.turn.open({ rootID })

  /** The open turns, once nothing of others is left open in the tree. */
  const takenUp = async (rootID: string, wasHeld: boolean) => {
    const [turns, tasks] = await Promise.all([open(rootID), store.task.open(rootID)])
    const isLeft = turns.some(({ status }) => status === "running") || tasks.some((task) => !isKnown(task))
    if (!wasHeld && !isLeft) return turns
    await takeUp(rootID)
    return open(rootID)
  }
  /** Resolves when neither this process nor a row has anything left to do in the tree, whose open turns are `first`. */
  const toTheEnd = async (rootID: string, held: Held, first: readonly Turn[], signal: AbortSignal) => {
    const tried = new Set<string>()
    /** Begins what waits. False when nothing does. */
    const begin = (turns: readonly Turn[]) => {
      const waiting = turns.filter(({ status }) => status === "queued")
      // Nothing of a lost tree may begin here.
      signal.throwIfAborted()
      if (waiting.some(({ id }) => tried.has(id))) throw new Error(`a turn of ${rootID} does not begin`)
      for (const turn of waiting) {
        tried.add(turn.id)
        sessionQueues.add(turn)
      }
      return waiting.length > 0
    }
    // At once: what comes later may wait for it, and would never end.
    begin(first)
    do {
      await sessionQueues.idle(rootID)
      await held.stored
    } while (begin(await open(rootID)) || held.storing > 0)
  }
  return {
    takes,
    async during(rootID, act) {
      const held = trees.get(rootID)
      if (held === undefined) return act(false)
      held.storing += 1
      const acting = act(true).finally(() => {
        held.storing -= 1
      })
      held.stored = Promise.allSettled([held.stored, acting])
      return acting
    },
    async workOn({ rootID, wasHeld, signal }) {
      // The same tree may come back before what was lost of it has stopped.
      for (let before = trees.get(rootID); before; before = trees.get(rootID)) await before.left.promise
      signal.throwIfAborted()
      const held: Held = {
        isTakenUp: false,
        early: [],
        storing: 0,
        stored: Promise.resolve(),
        left: Promise.withResolvers(),
      }
      trees.set(rootID, held)
      const lose = () => {
        sessionQueues.abandon((turn) => turn.rootID === rootID, new TreeLostError(rootID))
        lost(rootID)
      }
      signal.addEventListener("abort", lose)
      let leave = () => {}
      try {
        leave = await follow(rootID)
        // What this node lost a moment ago has to stop first.
        await orAborted(sessionQueues.idle(rootID), signal)
        const turns = await takenUp(rootID, wasHeld)
        held.isTakenUp = true
        const known = new Set(turns.map(({ id }) => id))
        const first = [...turns, ...held.early.filter(({ id }) => !known.has(id))]
        await orAborted(toTheEnd(rootID, held, first, signal), signal)
      } finally {
        signal.removeEventListener("abort", lose)
        // Something may have begun after the signal.
        if (signal.aborted) lose()
        leave()
        trees.delete(rootID)
        held.left.resolve()
      }
    },
    heard(turn) {
      if (turn.status === "queued" && takes(turn)) sessionQueues.add(turn)
    },
  }
}
