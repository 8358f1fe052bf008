import type { GivenTree, QueuedTree, ServeOptions, TurnEngine } from "../engine/turn/turn-engine.ts"

interface Node {
  options: ServeOptions | null
  held: Map<string, { lost: AbortController; done: Promise<void> }>
  isTaking: boolean
}

interface Waiting extends QueuedTree {
  wasHeld: boolean
}

/** The engines of several nodes in one process. They share a queue in memory. */
export interface InProcessEngines {
  node(): TurnEngine & {
    /** Ends without a word: its trees are given to others, and it hears nothing more. */
    die(): void
  }
}

export function createInProcessEngines(): InProcessEngines {
  const nodes = new Set<Node>()
  let waiting: Waiting[] = []
  const keyOf = ({ tenantID, rootID }: QueuedTree) => `${tenantID}/${rootID}`
  const isHeld = (key: string) => [...nodes].some(({ held }) => held.has(key))
  const nodeFor = ({ place }: QueuedTree) =>
    [...nodes].find(
      ({ options, held, isTaking }) =>
        isTaking && options?.places.includes(place) === true && held.size < options.capacity,
    )

  const give = () => {
    for (const tree of waiting) {
      const key = keyOf(tree)
      const node = isHeld(key) ? undefined : nodeFor(tree)
      if (node?.options) start(node, node.options, tree)
    }
  }
  const start = (node: Node, { work }: ServeOptions, tree: Waiting) => {
    const key = keyOf(tree)
    waiting = waiting.filter((other) => other !== tree)
    const lost = new AbortController()
    const given: GivenTree = { ...tree, signal: lost.signal }
    const done = work(given).then(
      () => null,
      (error: unknown) => error,
    )
    node.held.set(key, {
      lost,
      done: done.then((error) => {
        if (!node.held.delete(key)) return
        if (error !== null) waiting = [{ ...tree, wasHeld: true }, ...waiting]
        give()
      }),
    })
  }

  const engineOf = (node: Node): ReturnType<InProcessEngines["node"]> => {
    const giveBack = async () => {
      node.isTaking = false
      const all = [...node.held.values()]
      for (const { lost } of all) lost.abort(new Error("This node gives the tree to others."))
      await Promise.all(all.map(({ done }) => done))
    }
    return {
      async enqueue(trees) {
        waiting.push(...trees.map((tree) => ({ ...tree, wasHeld: false })))
        give()
      },
      async serve(options) {
        Object.assign(node, { options, isTaking: true })
        give()
      },
      pause() {
        node.isTaking = false
      },
      resume() {
        node.isTaking = true
        give()
      },
      giveBack,
      async stats() {
        const places = [...nodes].flatMap(({ options }) => options?.places ?? [])
        return [...new Set(places)].map((place) => ({
          place,
          queued: waiting.filter((tree) => tree.place === place).length,
          active: [...nodes]
            .filter(({ options }) => options?.places.includes(place))
            .reduce((sum, { held }) => sum + held.size, 0),
        }))
      },
      async close() {
        await giveBack()
        nodes.delete(node)
      },
      die() {
        nodes.delete(node)
        for (const key of node.held.keys()) {
          const [tenantID = "", rootID = ""] = key.split("/")
          const place = node.options?.places[0] ?? ""
          waiting = [{ tenantID, rootID, place, wasHeld: true }, ...waiting]
        }
        node.held.clear()
        give()
      },
    }
  }
  return {
    node() {
      const node: Node = { options: null, held: new Map(), isTaking: false }
      nodes.add(node)
      return engineOf(node)
    },
  }
}
