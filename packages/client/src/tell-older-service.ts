import type { AppRouter } from "@docket/api/router"
import type { TRPCLink } from "@trpc/client"
import { observable } from "@trpc/server/observable"
import { type DocketClientError, docketCode, httpStatus } from "./client-error.ts"
import { clientVersion } from "./client-version.ts"

/**
 * When the service does not know a procedure or a key and is older than this client, the error says so.
 * @param health asks for the version of the service
 */
export function tellOlderService(health: () => Promise<Response>): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (result) => observer.next(result),
          complete: () => observer.complete(),
          error(error) {
            if (!isUnknown(error)) return observer.error(error)
            const tell = (version: string | null) => {
              if (version !== null && isOlder(version, clientVersion)) error.message += ` ${olderWords(version)}`
              observer.error(error)
            }
            // If the service does not answer, its version is not known.
            versionOf(health).then(tell, () => tell(null))
          },
        }),
      )
}

function olderWords(version: string): string {
  return `The service is Docket ${version}, older than this client (${clientVersion}): update it, or pack the client from its version.`
}

/** tRPC has no code of its own for a procedure that it does not know. */
function isUnknown(error: DocketClientError): boolean {
  if (docketCode(error) === "unknown_key") return true
  return httpStatus(error) === 404 && docketCode(error) === null && /^No .*procedure/.test(error.message)
}

async function versionOf(health: () => Promise<Response>): Promise<string | null> {
  const answer: unknown = await (await health()).json()
  const version: unknown = Reflect.get(Object(answer), "version")
  return typeof version === "string" ? version : null
}

/** Compares the numbers of both: `0.9.1` is older than `0.10.0`. */
function isOlder(version: string, than: string): boolean {
  const [own, other] = [version, than].map((text) => text.split(/[.+-]/).map(Number))
  for (const at of [0, 1, 2]) {
    const difference = (own?.[at] ?? 0) - (other?.[at] ?? 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
