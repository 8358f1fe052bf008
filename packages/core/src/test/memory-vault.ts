import { memoryDrawer } from "../ground/secret/drawer.ts"
import { createFileVault } from "../ground/secret/file-vault.ts"
import { secretKinds, type Vault } from "../ground/secret/vault.ts"

/** Secrets of one process, in memory. */
export function memoryVault(): Vault {
  return createFileVault(Object.fromEntries(secretKinds.map((kind) => [kind, memoryDrawer()])))
}
