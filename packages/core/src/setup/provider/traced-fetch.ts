import type { Trace } from "../../ground/trace/trace.ts"

/** Sends requests to model providers, and tells those that are to know it the span of the call. */
export function tracedFetch(trace: Pick<Trace, "headers" | "isTold">): typeof fetch {
  return (input, init) => {
    const headers = trace.isTold(new URL(input instanceof Request ? input.url : input).host) ? trace.headers() : {}
    if (Object.keys(headers).length === 0) return fetch(input, init)
    const all = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
    for (const [name, value] of Object.entries(headers)) all.set(name, value)
    return fetch(input, { ...init, headers: all })
  }
}
