import { httpStatus } from "@docket/client"
import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query"

const forbidden = 403

/** tRPC's key of `me.get`, with any input. */
const meKey = [["me", "get"]]

/** Maximum attempts of a read that failed in the transport or in the service. */
const attempts = 3

/**
 * The cache of everything that is read from the service. After a "forbidden" answer the user's role may have changed,
 * so their rights are fetched again.
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
        // Without a network, a browser can still reach a service on the same machine.
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
