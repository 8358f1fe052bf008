/** What is secret, by what it is for. */
export const secretKinds = [
  "provider-key",
  "webhook",
  "sign-in",
  "credential",
  "token",
  "login",
  "login-code",
  "team-secret",
  "team-settings",
  "request",
] as const
export type SecretKind = (typeof secretKinds)[number]

/** The secrets of a workspace, or of the service: values of JSON, by kind and name. */
export interface Vault {
  /** Null when there is none. @throws config_invalid when it cannot be read */
  get(kind: SecretKind, name: string): Promise<unknown>
  /**
   * All of a kind, by name. What other processes changed within the last second may be missing.
   * @throws config_invalid when one of them cannot be read
   */
  all(kind: SecretKind): Promise<ReadonlyMap<string, unknown>>
  /**
   * Puts what `edit` makes of a secret in its place; null removes it. Of changes at the same time, each sees what the one
   * before it left, so `edit` may be called again. @returns what was there before
   */
  change(kind: SecretKind, name: string, edit: (before: unknown) => unknown): Promise<unknown>
  /** Runs work with a secret while nobody else does, in any process that shares it. */
  alone<T>(kind: SecretKind, name: string, work: () => Promise<T>): Promise<T>
}
