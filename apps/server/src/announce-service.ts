import type { Service } from "./start-service.ts"

export interface AnnounceDeps {
  print(text: string): void
  /** A progress message for the user. */
  report(phase: string): void
  /** Unexpected errors. */
  log(text: string, error: unknown): void
}

/**
 * Reports the address of a service that listens. Programs get one line of JSON at once. Users get the login link only
 * when pages are served, so that the link is the last line on their screen. While the web app is still being built, they
 * get it at once: the page waits with them. Reports nothing more after `signal` aborts.
 */
export async function announceService(
  {
    url,
    loginUrl,
    greeting,
    tokenFile,
    webReady,
  }: Pick<Service, "url" | "loginUrl" | "greeting" | "tokenFile" | "webReady">,
  { json, web, webFollows, signal }: { json: boolean; web: boolean; webFollows: boolean; signal: AbortSignal },
  { print, report, log }: AnnounceDeps,
): Promise<void> {
  if (json) print(`${JSON.stringify({ url, loginUrl, tokenFile, pid: process.pid })}\n`)
  const link = `\n${greeting}:\n\n  ${loginUrl}\n\n`
  if (webFollows && !json) print(link)
  const loaded = await webReady.then(
    () => true,
    (error: unknown) => {
      log("the web app could not be loaded; the API goes on without it", error)
      return false
    },
  )
  if (signal.aborted) return
  if (web && loaded) report("web app ready")
  if (json || (webFollows && loaded)) return
  if (web && loaded) print(link)
  else print(`\nDocket answers on ${url}. The token is in ${tokenFile}.\n\n`)
}
