/** A browser without pages: it keeps cookies and sends the headers of a page of the service. */
export interface TeamBrowser {
  cookie(): string
  /** Sends JSON like a page of the same origin. */
  post(route: string, body?: object, headers?: Record<string, string>): Promise<Response>
  get(route: string, headers?: Record<string, string>): Promise<Response>
}

export interface BrowserOptions {
  /** The initial cookie, as `name=value`. */
  cookie?: string
  /** Sends a request; by default with `fetch`. */
  send?(url: string, init: SentInit): Promise<Response>
}

export interface SentInit extends Omit<RequestInit, "headers"> {
  headers: Record<string, string>
}

/** @param origin of the service, as users reach it */
export function createTeamBrowser(
  origin: string,
  { cookie: given = "", send = fetch }: BrowserOptions = {},
): TeamBrowser {
  const jar = new Map(given === "" ? [] : [given.split("=", 2) as [string, string]])
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
  const sendOn = async (route: string, init: SentInit) => {
    const headers = { ...(jar.size > 0 && { cookie: cookie() }), "sec-fetch-site": "same-origin", ...init.headers }
    const response = await send(origin + route, { redirect: "manual", ...init, headers })
    for (const set of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      if (value === "" || /max-age=0/i.test(set)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  return {
    cookie,
    get: (route, headers = {}) => sendOn(route, { headers }),
    post: (route, body = {}, headers = {}) =>
      sendOn(route, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", origin, ...headers },
      }),
  }
}
