import { UsageError } from "../usage-error.ts"

/** The origin of the server that the user named. A name without a scheme means https. @throws UsageError */
export function readServerUrl(text: string): string {
  const given = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  const url = URL.canParse(given) ? new URL(given) : null
  const isBare = url !== null && url.pathname === "/" && url.search + url.hash + url.username === ""
  if (isBare && /^https?:$/.test(url.protocol)) return url.origin
  throw new UsageError(`--server is like https://docket.example.org, without a path; not ${JSON.stringify(text)}`)
}

/** Whether others on the network can read what is sent to this address. */
export function isInTheClear(url: string): boolean {
  return new URL(url).protocol === "http:" && !isThisMachine(url)
}

export function isThisMachine(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(new URL(url).hostname)
}
