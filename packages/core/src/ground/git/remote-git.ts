import { DocketError } from "../error/docket-error.ts"
import type { ConfigEntry } from "./guards.ts"
import { addressesOf, type LookUp, type RepositoryLimits } from "./repository-address.ts"
import { type Environment, GitError, runGit } from "./run-git.ts"

/** What signs in to a server. */
export interface SignIn {
  username: string
  password: string
}

export interface RemotePlace {
  /** A git directory that only Docket writes: what its config says of addresses counts. */
  directory: string
  env: Environment
  url: string
  limits: RepositoryLimits
  /** Null for nothing to sign in with. It is asked with `true` once when the server refused what it gave before. */
  signIn: ((wasRefused: boolean) => Promise<SignIn>) | null
  signal: AbortSignal
  /** ms */
  timeout?: number | undefined
  /** Directories of objects besides those of the git directory. */
  objects?: readonly string[] | undefined
  lookUp?: LookUp | undefined
}

/** Git gets the sign-in from descriptor 3, once, and from nowhere else. */
const fromDescriptor = '!f() { test "$1" = get && cat <&3; }; f'

/**
 * Runs a command of git that reaches the repository's server: `args` names it by `url`. No redirect is followed, and the
 * server is reached at the addresses that were checked.
 * @throws repository_refused, repository_unavailable, credential_refused, GitError for what else git says
 */
export async function remoteGit(place: RemotePlace, args: string[]): Promise<Buffer> {
  const addresses = await addressesOf(place.url, place.limits, place.lookUp)
  try {
    return await runOnce(place, args, { addresses, wasRefused: false })
  } catch (error) {
    if (place.signal.aborted) throw place.signal.reason
    if (!isRefusedSignIn(error)) throw asDocketError(error, place.url)
    if (place.signIn === null) throw needsSignIn(place.url, error)
  }
  try {
    return await runOnce(place, args, { addresses, wasRefused: true })
  } catch (error) {
    if (place.signal.aborted) throw place.signal.reason
    throw isRefusedSignIn(error) ? needsSignIn(place.url, error) : asDocketError(error, place.url)
  }
}

async function runOnce(
  { directory, env, url, signIn, signal, timeout, objects = [] }: RemotePlace,
  args: string[],
  { addresses, wasRefused }: { addresses: readonly string[]; wasRefused: boolean },
): Promise<Buffer> {
  const { protocol, hostname, port } = new URL(url)
  const name = protocol.slice(0, -1)
  const given = await signIn?.(wasRefused)
  const guards: ConfigEntry[] = [
    [`protocol.${name}.allow`, "always"],
    ["http.followRedirects", "false"],
    ["http.curloptResolve", `${hostname}:${port || (name === "https" ? "443" : "80")}:${addresses.join(",")}`],
    // A server that stops sending would hold the session for as long as it likes.
    ["http.lowSpeedLimit", "1"],
    ["http.lowSpeedTime", "60"],
    ...(given === undefined ? [] : [["credential.helper", fromDescriptor] as const]),
  ]
  return runGit(args, {
    ...{ cwd: directory, env, guards, signal, timeout },
    variables: {
      GIT_DIR: directory,
      GIT_ALLOW_PROTOCOL: name,
      ...(objects.length > 0 && { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects.join(":") }),
    },
    ...(given !== undefined && { secret: `username=${given.username}\npassword=${given.password}\n` }),
  })
}

const refusedSignIn = /Authentication failed|could not read (?:Username|Password)|HTTP (?:401|403)|error: 40[13]\b/i
const unreachable =
  /Could not resolve|Failed to connect|Connection (?:refused|timed out|reset)|Couldn't connect|SSL|certificate|error: 5\d\d|timed out|Operation too slow|early EOF|hung up|Empty reply|unexpected disconnect|more than [\d.]+ s/i

function isRefusedSignIn(error: unknown): boolean {
  return error instanceof GitError && refusedSignIn.test(error.message)
}

function needsSignIn(url: string, cause: unknown): DocketError {
  const { host } = new URL(url)
  return new DocketError("credential_refused", `${host} did not accept the sign-in for ${url}.`, { cause })
}

function asDocketError(error: unknown, url: string): unknown {
  if (!(error instanceof GitError)) return error
  const { host } = new URL(url)
  if (/No space left on device|Disk quota exceeded/i.test(error.message))
    return new DocketError(
      "repository_unavailable",
      "The disk of this host is full. Free some space, then try again.",
      { cause: error },
    )
  const said =
    error.message
      .replace(/^git \S+ failed: /, "")
      .split("\n")
      .at(-1)
      ?.trim() ?? ""
  if (/redirect/i.test(error.message))
    return new DocketError(
      "repository_refused",
      `${host} sends git to another address. Use the one to which it leads.`,
      { cause: error },
    )
  if (/not found|error: 404/i.test(error.message))
    return new DocketError(
      "repository_unavailable",
      `There is no repository ${url}, or this sign-in does not see it.`,
      { cause: error },
    )
  if (error.timedOut || unreachable.test(error.message))
    return new DocketError("repository_unavailable", `${host} cannot be reached (${said}). Try again later.`, {
      cause: error,
    })
  return error
}
