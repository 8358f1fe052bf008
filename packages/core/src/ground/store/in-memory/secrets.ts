import type { SecretPlace, SecretRow, SecretStore } from "../port/index.ts"

/** `forget` removes what a tenant has. */
export function inMemorySecrets(clock: () => number): SecretStore & { forget(tenantID: string): void } {
  const rows = new Map<string, SecretRow>()
  const leases = new Map<string, { holder: string; until: number }>()
  const keyOf = ({ tenantID, kind, name }: SecretPlace) => JSON.stringify([tenantID, kind, name])
  const inOrder = (a: string[], b: string[]) => {
    const at = a.findIndex((part, index) => part !== b[index])
    return (a[at] ?? "") < (b[at] ?? "") ? -1 : 1
  }
  const partsOf = ({ tenantID, kind, name }: SecretPlace) => [tenantID, kind, name]
  return {
    get: async (place) => rows.get(keyOf(place)) ?? null,
    list: async (of) =>
      [...rows.values()]
        .filter((row) => of === undefined || (row.tenantID === of.tenantID && row.kind === of.kind))
        .sort((a, b) => inOrder(partsOf(a), partsOf(b))),
    async swap(swaps) {
      const fits = swaps.every(({ place, before }) => (rows.get(keyOf(place))?.sealed ?? null) === before)
      if (!fits) return false
      for (const { place, after } of swaps) {
        const { tenantID, kind, name } = place
        if (after === null) rows.delete(keyOf(place))
        else rows.set(keyOf(place), Object.freeze({ tenantID, kind, name, sealed: after, updated: clock() }))
      }
      return true
    },
    async lease(place, holder, ms) {
      const key = keyOf(place)
      if (!rows.has(key)) return true
      const held = leases.get(key)
      if (held !== undefined && held.holder !== holder && held.until > clock()) return false
      leases.set(key, { holder, until: clock() + ms })
      return true
    },
    async release(place, holder) {
      if (leases.get(keyOf(place))?.holder === holder) leases.delete(keyOf(place))
    },
    forget(tenantID) {
      for (const [key, row] of rows) if (row.tenantID === tenantID) rows.delete(key)
    },
  }
}
