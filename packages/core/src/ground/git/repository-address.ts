import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { DocketError } from "../error/docket-error.ts"
import { allowedAddresses } from "../fetch/public-address.ts"

/** What the administrator allows of the addresses of repositories. */
export interface RepositoryLimits {
  /** Addresses and networks that are allowed though they are not public. */
  allow?: readonly string[] | undefined
  /** Whether a server may do without TLS. */
  http?: boolean | undefined
}

/**
 * The address of a repository as it is stored. Only https is offered: other protocols of git start programs, read this
 * machine's files, or sign in with keys that no vault holds.
 * @throws repository_refused
 */
export function repositoryAddress(text: string, { http = false }: RepositoryLimits = {}): string {
  const refuse = (why: string) => new DocketError("repository_refused", why)
  if (!/^https?:\/\//i.test(text))
    throw refuse(
      "The address of a repository begins with https://. For an address of SSH, take the one that the server gives for HTTPS, and a token.",
    )
  if (!URL.canParse(text))
    throw refuse("This is no address of a repository. Take the one that the server gives for HTTPS.")
  const url = new URL(text)
  if (url.username !== "" || url.password !== "")
    throw refuse(
      "The address of a repository holds a name or a password. Leave it out, save it as a credential and name that.",
    )
  if (url.search !== "" || url.hash !== "") throw refuse("The address of a repository ends before ? and #.")
  if (url.protocol !== "https:" && !http)
    throw refuse(
      'The repository is not reached by https. An administrator can allow it with "repositories": { "http": true }.',
    )
  return url.href.replace(/\/+$/, "")
}

export type LookUp = (hostname: string) => Promise<readonly { address: string }[]>

const bySystem: LookUp = (hostname) => lookup(hostname, { all: true })

/**
 * The addresses of a repository's host. Git is held to them, so that a name cannot stand for another one a moment later.
 * @throws repository_refused unless all of them may be reached; repository_unavailable when the name is unknown
 */
export async function addressesOf(
  url: string,
  { allow = [] }: RepositoryLimits,
  lookUp: LookUp = bySystem,
): Promise<string[]> {
  const hostname = new URL(url).hostname.replace(/^\[|\]$/g, "")
  const found =
    isIP(hostname) === 0
      ? await lookUp(hostname).catch((cause) => unknownHost(hostname, cause))
      : [{ address: hostname }]
  const addresses = found.map(({ address }) => address)
  const isAllowed = allowedAddresses(allow)
  if (addresses.length > 0 && addresses.every(isAllowed)) return addresses
  throw new DocketError(
    "repository_refused",
    `${hostname} is not on the public internet. An administrator can allow its address with "repositories": { "allow": […] }.`,
  )
}

function unknownHost(hostname: string, cause: unknown): never {
  throw new DocketError(
    "repository_unavailable",
    `No address is known for ${hostname}. Check the name and the network, then try again.`,
    { cause },
  )
}
