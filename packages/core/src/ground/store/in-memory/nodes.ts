import type { Host, Node } from "../../schema/index.ts"
import type { NodeStore } from "../port/index.ts"
import { frozenCopy } from "./frozen-copy.ts"

export function inMemoryNodes(clock: () => number): NodeStore {
  const nodes = new Map<string, Node>()
  const hosts = new Map<string, Host>()
  const put = (node: Node): Node => {
    const value = frozenCopy(node)
    nodes.set(value.id, value)
    return value
  }
  return {
    async beat(facts) {
      const { draining = false, time } = nodes.get(facts.id) ?? {}
      const seen = clock()
      return put({ ...facts, draining, time: { started: time?.started ?? seen, seen } })
    },
    async list() {
      const newestFirst = [...nodes.values()].sort((a, b) => b.time.started - a.time.started || (a.id > b.id ? -1 : 1))
      return { now: clock(), nodes: newestFirst }
    },
    async setDraining(id, on) {
      const node = nodes.get(id)
      if (node !== undefined) put({ ...node, draining: on })
      return node !== undefined
    },
    async leave(id) {
      nodes.delete(id)
    },
    async forgetBefore(time) {
      const old = [...nodes.values()].filter(({ time: { seen } }) => seen < time)
      for (const { id } of old) nodes.delete(id)
      return old.length
    },
    async putHost({ id, label }) {
      hosts.set(id, { id, label, time: { seen: clock() } })
    },
    hosts: async () => [...hosts.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  }
}
