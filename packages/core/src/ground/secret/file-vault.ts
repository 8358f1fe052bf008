import { createKeyedQueue } from "../concurrency/keyed-queue.ts"
import type { Drawer } from "./drawer.ts"
import type { SecretKind, Vault } from "./vault.ts"

/** Each kind of secret with the files that hold it. */
export type Drawers = Partial<Record<SecretKind, Drawer>>

/** Secrets in files that this process has for itself. */
export function createFileVault(drawers: Drawers): Vault {
  const changes = createKeyedQueue()
  const inTurn = createKeyedQueue()
  const drawerOf = (kind: SecretKind) => {
    const drawer = drawers[kind]
    if (drawer === undefined) throw new Error(`no files hold secrets of the kind ${kind} here`)
    return drawer
  }
  return {
    get: async (kind, name) => drawerOf(kind).get(name),
    all: async (kind) => drawerOf(kind).all(),
    change: (kind, name, edit) =>
      // One file may hold all of a kind.
      changes(kind, async () => {
        const drawer = drawerOf(kind)
        const before = await drawer.get(name)
        const after = edit(before)
        if (after !== before) await drawer.set(name, after)
        return before
      }),
    alone: (kind, name, work) => inTurn(JSON.stringify([kind, name]), work),
  }
}
