import { httpStatus } from "@docket/client"
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"

const forbidden = 403

/** How tRPC keys `me.get`, of whatever input. */
const meKey = [["me", "get"]]

/** Most attempts of a read that failed in the transport or in the service. */
const attempts = 3

/**
 * The cache of everything read from the service. Who may not do what the page lets them do has another role now: what they
 * may is asked again.
 */
export function createQueryClient(): QueryClient {
  const onError = (error: unknown) => {
    if (httpStatus(error) === forbidden) void client.invalidateQueries({ queryKey: meKey })
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        // A browser without a network can still reach a service on the same machine.
        networkMode: "always",
        staleTime: 10_000,
        retry: (count, error) => {
          const status = httpStatus(error)
          return count + 1 < attempts && (status === null || status >= 500)
        },
      },

      mutations: { networkMode: "always" },
    },
  })
  return client
}
