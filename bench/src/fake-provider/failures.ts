import type { ServerResponse } from "node:http"

/** The ways in which providers fail, used in turn. */
const ways: ((response: ServerResponse) => void)[] = [
  (response) => refuse(response, 500, "Internal error"),
  (response) => refuse(response, 429, "Slow down", { "retry-after": "1" }),
  (response) => {
    response.socket?.destroy()
  },
  (response) => refuse(response, 529, "Overloaded"),
  (response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write('data: {"choices":[{"index":0,"delta":{"content":"Cut off in the mid')
    setTimeout(() => response.socket?.destroy(), 20)
  },
  (response) => refuse(response, 400, "This request is malformed"),
  (response) => refuse(response, 503, "<html>Service Unavailable</html>"),
]

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify({ error: { message } }))
}

/** Lets one call in `every` fail; none when it is 0. */
export function createFailures(every: number): { take(response: ServerResponse): boolean } {
  let calls = 0
  return {
    take(response) {
      calls += 1
      if (every === 0 || calls % every !== 0) return false
      ways[(calls / every) % ways.length]?.(response)
      return true
    },
  }
}
