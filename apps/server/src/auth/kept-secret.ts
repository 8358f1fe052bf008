import type { Vault } from "@docket/core/vault"
import { z } from "zod"
import { createSecret } from "./secret.ts"

/** A secret that is made when it is first needed, and stays the same. */
export async function keptSecret(vault: Vault, kind: "token" | "team-secret"): Promise<string> {
  const made = createSecret()
  const before = await vault.change(kind, "", (kept) => kept ?? made)
  return z.string().parse(before ?? made)
}
