/** Sends a request to Docket's own interface, by the process that reads this one's messages. */
export type SendRequest = (request: Request) => Promise<Response>

interface Sdk {
  createOpencodeClient(options: Record<string, unknown>): unknown
}

/** Keys of a call in the nested form of the first SDK: everything else is one flat list of parameters. */
const nestedKeys = new Set(["body", "headers", "path", "query", "signal", "throwOnError"])
const noMethods = new Set(["then", "toJSON"])
const nestedParts = ["body", "path", "query"]

/**
 * The client that a plugin gets: it takes calls in both forms of OpenCode's SDK, `{ path: { id } }` and `{ sessionID }`. The
 * SDK is loaded with the first call.
 */
export function createClient(
  sdk: { v1: string; v2: string },
  { baseUrl, directory, fetch }: { baseUrl: string; directory: string; fetch: SendRequest },
): unknown {
  const options = { baseUrl, directory, fetch }
  const load = async (address: string) => ((await import(address)) as Sdk).createOpencodeClient(options)
  const loaded = new Map<string, Promise<unknown>>()
  const call = async (path: readonly string[], args: unknown[]) => {
    const [first, ...others] = path
    for (const address of formsOf(args).map((form) => sdk[form])) {
      const way = loaded.get(address) ?? load(address)
      loaded.set(address, way)
      const found = methodOf(await way, [first ?? "", ...others])
      if (found !== null) return found(...args)
    }
    throw new Error(`client.${path.join(".")} is no call of OpenCode's SDK that Docket knows.`)
  }
  const node = (path: readonly string[]): unknown =>
    // The client itself is an object, and what is in it can be called.
    new Proxy(path.length === 0 ? {} : () => {}, {
      // A client is no promise, so that it can be returned from one, and no JSON.
      get: (_, key) => (typeof key === "symbol" || noMethods.has(key) ? undefined : node([...path, key])),
      apply: (_, __, args) => call(path, args),
    })
  return node([])
}

/** The generations of the SDK that may have the call, the more likely one first. */
function formsOf([given]: unknown[]): ("v1" | "v2")[] {
  const keys = typeof given === "object" && given !== null ? Object.keys(given) : []
  // The same in both forms; some groups are in the second one alone.
  if (keys.length === 0) return ["v1", "v2"]
  const isNested = keys.every((key) => nestedKeys.has(key)) && keys.some((key) => nestedParts.includes(key))
  return isNested ? ["v1"] : ["v2", "v1"]
}

function methodOf(client: unknown, path: readonly string[]): ((...args: unknown[]) => unknown) | null {
  let holder: unknown = client
  for (const key of path.slice(0, -1)) holder = (holder as Record<string, unknown> | undefined)?.[key]
  const method = (holder as Record<string, unknown> | undefined)?.[path.at(-1) ?? ""]
  return typeof method === "function" ? (method.bind(holder) as (...args: unknown[]) => unknown) : null
}
