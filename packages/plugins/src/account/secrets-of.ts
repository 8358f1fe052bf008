import type { SavedSignIn } from "./sign-in-store.ts"

/** Shorter texts stand in other words too. */
const shortest = 6

/** What lets somebody in. */
export function secretsOf({ auth }: Pick<SavedSignIn, "auth">): string[] {
  const all = auth.type === "api" ? [auth.key] : [auth.access, auth.refresh]
  return all.filter((secret) => secret.length >= shortest)
}

/** A text of a plugin, which may have printed what it got. */
export function withoutSecrets(text: string, saved: Pick<SavedSignIn, "auth"> | null): string {
  const secrets = saved === null ? [] : secretsOf(saved)
  return secrets.reduce((rest, secret) => rest.replaceAll(secret, "[key]"), text)
}
