import { matchWildcard } from "../rule/wildcard.ts"

/**
 * Variables that commands do not get, as wildcards on the upper-case name: keys and tokens of providers and
 * services, passwords, database addresses, everything of Docket's own, and what the package manager that
 * started Docket or Docket's web server left behind. `SSH_AUTH_SOCK`, proxies and paths stay, because git
 * and package managers need them.
 */
export const secretVariables: readonly string[] = [
  "DOCKET_*",
  "*API_KEY*",
  "*APIKEY*",
  "*ACCESS_KEY*",
  "*PRIVATE_KEY*",
  "*ENCRYPTION_KEY*",
  "*SIGNING_KEY*",
  "*_TOKEN",
  "*_TOKENS",
  "TOKEN",
  "*_TOKEN_*",
  "*AUTHTOKEN*",
  "*SECRET*",
  "*PASSWORD*",
  "*PASSWD*",
  "*PASSPHRASE*",
  "*_PASS",
  "PGPASSFILE",
  "*CREDENTIAL*",
  "*_AUTH",
  "*_COOKIE",
  "*BEARER*",
  "*_DSN",
  "*CONNECTION_STRING*",
  "*DATABASE_URL*",
  "NPM_LIFECYCLE_*",
  "NPM_PACKAGE_*",
  "NPM_COMMAND",
  "NPM_EXECPATH",
  "NPM_NODE_EXECPATH",
  "NODE_ENV",
  "INIT_CWD",
]

/** `scheme://user:password@host`, wherever it stands; a proxy's may stay. */
const addressWithPassword = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i

/**
 * The environment for commands. `patterns` replaces the list above; `keep` names variables that pass in any
 * case (exact names), for a user who wants `GH_TOKEN` in commands.
 */
export function scrubEnv(
  env: Readonly<Record<string, string | undefined>>,
  options: { patterns?: readonly string[]; keep?: readonly string[] } = {},
): Record<string, string> {
  const { patterns = secretVariables, keep = [] } = options
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue
    const upper = name.toUpperCase()
    const secret =
      patterns.some((pattern) => matchWildcard(pattern, upper)) ||
      (addressWithPassword.test(value) && !upper.endsWith("_PROXY"))
    if (!secret || keep.includes(name)) kept[name] = value
  }
  return kept
}
